// Which kernels become one.
#include "inductor/fuse.h"

#include <gtest/gtest.h>

#include "programs.h"

namespace fxcut {
namespace {

// A value that is saved, and a reduction of it over `dimension`.
std::string saved_and_reduced(std::string_view dimension, std::string_view size) {
  return "primals_1 = placeholder : f32[64, 32]\n"
         "primals_2 = placeholder : f32[32]\n"
         "mul = aten.mul.Tensor(primals_1, primals_2) : f32[64, 32]\n"
         "sum = aten.sum.dim_IntList(mul, [" + std::string(dimension) + "]) : f32[" + std::string(size) + "]\n"
         "return sum, mul |";
}

TEST(Fuse, AProducerIsFusedWithAReductionOverItsInnerLoop) { EXPECT_EQ(fused_kernels(saved_and_reduced("1", "64")), "mul+sum"); }

TEST(Fuse, NotWithOneOverItsOuterLoop) { EXPECT_EQ(fused_kernels(saved_and_reduced("0", "32")), "mul sum"); }

TEST(Fuse, WhatIsReadInItsOwnKernelOnlyIsNeverAllocated) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 32]\n"
                          "exp = aten.exp.default(primals_1) : f32[64, 32]\n"
                          "sin = aten.sin.default(exp) : f32[64, 32]\n"
                          "cos = aten.cos.default(exp) : f32[64, 32]\n"
                          "return sin, cos |"),
            "(exp)+sin+cos");
}

TEST(Fuse, AReaderOfATransposedResultIsAKernelOfItsOwn) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 32]\n"
                          "exp = aten.exp.default(primals_1) : f32[64, 32]\n"
                          "permute = aten.permute.default(exp, [1, 0]) : f32[32, 64]{1, 32}\n"
                          "clone = aten.clone.default(permute) : f32[32, 64]\n"
                          "return clone, exp |"),
            "exp clone");
}

TEST(Fuse, NoCycleIsMade) {
  // sin and mul read the same, but mul waits for mm, and mm for sin.
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 64]\n"
                          "sin = aten.sin.default(primals_1) : f32[64, 64]\n"
                          "mm = aten.mm.default(sin, primals_1) : f32[64, 64]\n"
                          "mul = aten.mul.Tensor(primals_1, mm) : f32[64, 64]\n"
                          "return mul |"),
            "sin [mm] mul");
}

TEST(Fuse, SoftmaxIsOneKernel) {
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[64, 32]\n"
                          "amax = aten.amax.default(primals_1, [-1], True) : f32[64, 1]\n"
                          "sub = aten.sub.Tensor(primals_1, amax) : f32[64, 32]\n"
                          "exp = aten.exp.default(sub) : f32[64, 32]\n"
                          "sum = aten.sum.dim_IntList(exp, [-1], True) : f32[64, 1]\n"
                          "div = aten.div.Tensor(exp, sum) : f32[64, 32]\n"
                          "return div |"),
            "(amax)+(exp)+(sum)+div");
}

}  // namespace
}  // namespace fxcut
