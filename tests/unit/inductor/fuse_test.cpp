// Kernels that become one.
#include "inductor/fuse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

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

TEST(Fuse, BuffersReadOnlyInTheirKernelAreNeverAllocated) {
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

TEST(Fuse, NoCycleIsMadeThroughKernelsThatWereFusedAcrossOthers) {
  // sin and div are fused first, as they share more than mul and cos; then mul waits for mm, that for sin and so for div, which
  // waits for mm_1, and that for cos.
  EXPECT_EQ(fused_kernels("primals_1 = placeholder : f32[512, 64]\n"
                          "primals_2 = placeholder : f32[64, 512]\n"
                          "primals_3 = placeholder : f32[64, 64]\n"
                          "sin = aten.sin.default(primals_1) : f32[512, 64]\n"
                          "mm = aten.mm.default(primals_2, sin) : f32[64, 64]\n"
                          "mul = aten.mul.Tensor(primals_3, mm) : f32[64, 64]\n"
                          "cos = aten.cos.default(primals_3) : f32[64, 64]\n"
                          "mm_1 = aten.mm.default(primals_1, cos) : f32[512, 64]\n"
                          "div = aten.div.Tensor(primals_1, mm_1) : f32[512, 64]\n"
                          "return mul, div |"),
            "sin+div [mm] mul cos [mm_1]");
}

constexpr std::string_view kSoftmax =
    "primals_1 = placeholder : f32[64, 32]\n"
    "amax = aten.amax.default(primals_1, [-1], True) : f32[64, 1]\n"
    "sub = aten.sub.Tensor(primals_1, amax) : f32[64, 32]\n"
    "exp = aten.exp.default(sub) : f32[64, 32]\n"
    "sum = aten.sum.dim_IntList(exp, [-1], True) : f32[64, 1]\n"
    "div = aten.div.Tensor(exp, sum) : f32[64, 32]\n"
    "return div |";

TEST(Fuse, SoftmaxIsOneKernel) { EXPECT_EQ(fused_kernels(kSoftmax), "(amax)+(exp)+(sum)+div"); }

TEST(Fuse, ARowBetweenNestedLoopsIsLocal) {
  EXPECT_EQ(local_buffers(kSoftmax), "exp") << "a row of it, not the sum of one";
  EXPECT_EQ(local_buffers("primals_1 = placeholder : f32[64, 32]\n"
                          "exp = aten.exp.default(primals_1) : f32[64, 32]\n"
                          "sin = aten.sin.default(exp) : f32[64, 32]\n"
                          "cos = aten.cos.default(exp) : f32[64, 32]\n"
                          "return sin, cos |"),
            "") << "nothing is nested";
}

TEST(Fuse, SlicesOfOneBufferAreDifferentPlaces) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, 64]\n"
      "slice_1 = aten.slice.Tensor(primals_1, 1, 0, 32) : f32[64, 32]{64, 1}@0\n"
      "slice_2 = aten.slice.Tensor(primals_1, 1, {}, 64) : f32[64, 32]{64, 1}@0\n"
      "sin = aten.sin.default(slice_1) : f32[64, 32]\n"
      "cos = aten.cos.default(slice_2) : f32[64, 32]\n"
      "return sin, cos |";
  const auto from = [&](std::string_view begin) { return fused_kernels(filled(kText, begin)); };
  EXPECT_EQ(from("0"), "sin+cos");
  EXPECT_EQ(from("32"), "sin cos");
}

TEST(Fuse, NoMoreThanSixteenKernelsAreFusedThatOnlyReadTheSame) {
  std::string text = "primals_1 = placeholder : f32[64]\n", results;
  for (int i = 0; i < 17; ++i) {
    const std::string name = "add_" + std::to_string(i);
    text += name + " = aten.add.Tensor(primals_1, " + std::to_string(i) + ") : f32[64]\n";
    results += (results.empty() ? "" : ", ") + name;
  }
  const std::string kernels = fused_kernels(text + "return " + results + " |");
  EXPECT_EQ(std::ranges::count(kernels, ' '), 1) << kernels;
}

TEST(Fuse, NoLoopsAreNestedWhileAPairIsLeftThatWouldMakeACycle) {
  // Once sin and mul are one kernel, add is before it, and mul_1 after it.
  constexpr std::string_view kCycle =
      "primals_1 = placeholder : f32[64, 64]\n"
      "primals_2 = placeholder : f32[64, 64]\n"
      "primals_3 = placeholder : f32[64, 32]\n"
      "add = aten.add.Tensor(primals_2, 1.0) : f32[64, 64]\n"
      "mm = aten.mm.default(add, primals_1) : f32[64, 64]\n"
      "mul = aten.mul.Tensor(primals_1, mm) : f32[64, 64]\n"
      "sin = aten.sin.default(primals_1) : f32[64, 64]\n"
      "mm_1 = aten.mm.default(sin, sin) : f32[64, 64]\n"
      "mul_1 = aten.mul.Tensor({}, mm_1) : f32[64, 64]\n"
      "amax = aten.amax.default(primals_3, [-1], True) : f32[64, 1]\n"
      "sub = aten.sub.Tensor(primals_3, amax) : f32[64, 32]\n"
      "return mul, mul_1, sub |";
  const auto with = [&](std::string_view read) { return fused_kernels(filled(kCycle, read)); };
  EXPECT_EQ(with("mm"), "add [mm] mul+sin [mm_1] mul_1 (amax)+sub");
  EXPECT_EQ(with("primals_2"), "add [mm] mul+sin [mm_1] mul_1 amax sub") << "mul_1 reads what add does";
}

TEST(Fuse, GathersOfTheSameIndicesAreOneKernel) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, 32]\n"
      "primals_2 = placeholder : f32[64, 32]\n"
      "primals_3 = placeholder : i64[4096]\n"
      "primals_4 = placeholder : i64[4096]\n"
      "index = aten.index.Tensor(primals_1, [primals_3]) : f32[4096, 32]\n"
      "index_1 = aten.index.Tensor(primals_2, [{}]) : f32[4096, 32]\n"
      "return index, index_1 |";
  const auto with = [&](std::string_view indices) { return fused_kernels(filled(kText, indices)); };
  EXPECT_EQ(with("primals_3"), "index+index_1");
  EXPECT_EQ(with("primals_4"), "index index_1");
}

// The first index of one kernel counts as the first of another.
TEST(Fuse, GathersOfTheSameTensorShareItWhateverTheIndicesAre) {
  const auto with = [](std::string_view indices) {
    return fused_kernels("primals_1 = placeholder : f32[64, 64]\n"
                         "primals_2 = placeholder : i64[64]\n"
                         "primals_3 = placeholder : i64[64]\n"
                         "index = aten.index.Tensor(primals_1, [primals_2]) : f32[64, 64]\n"
                         "sub = aten.sub.Tensor(primals_3, 1) : i64[64]\n"
                         "row = aten.index.Tensor(primals_3, [primals_3]) : i64[64]\n"
                         "index_1 = aten.index.Tensor(primals_1, [" + std::string(indices) + "]) : f32[64, 64]\n"
                         "return index, index_1 |");
  };
  EXPECT_EQ(with("primals_3"), "index+index_1");
  EXPECT_EQ(with("sub"), "index+index_1");
  EXPECT_EQ(with("None, primals_3"), "index index_1") << "columns are other places than rows";
  EXPECT_EQ(with("row"), "index index_1") << "it has indices of its own";
}

// On a GPU.
std::string of_gpu(std::string_view text, Release release = kNewestRelease) {
  return fused_kernels(text, rules_for_gpu(release));
}

TEST(Fuse, AReductionOfMuchToLittleIsTwoKernels) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[{}, 256]\n"
      "sum = aten.sum.dim_IntList(primals_1, [0]) : f32[256]\n"
      "return sum |";
  EXPECT_EQ(of_gpu(filled(kText, "16384")), "sum sum");
  EXPECT_EQ(of_gpu(filled(kText, "32")), "sum");
  EXPECT_EQ(fused_kernels(filled(kText, "16384")), "sum") << "a CPU has fewer threads";
}

TEST(Fuse, ValuesPassedBetweenLoopsAreInMemory) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[4096, {}]\n"
      "primals_2 = placeholder : f32[{}]\n"
      "primals_3 = placeholder : f32[{}]\n"
      "primals_4 = placeholder : f32[{}]\n"
      "primals_5 = placeholder : f32[{}]\n"
      "mul = aten.mul.Tensor(primals_1, primals_2) : f32[4096, {}]\n"
      "add = aten.add.Tensor(mul, primals_3) : f32[4096, {}]\n"
      "sub = aten.sub.Tensor(add, primals_4) : f32[4096, {}]\n"
      "div = aten.div.Tensor(sub, primals_5) : f32[4096, {}]\n"
      "neg = aten.mul.Tensor(div, primals_1) : f32[4096, {}]\n"
      "sum = aten.sum.dim_IntList(neg, [1], True) : f32[4096, 1]\n"
      "out = aten.sub.Tensor(neg, sum) : f32[4096, {}]\n"
      "return out |";
  const auto with = [&](std::string_view width) { return of_gpu(filled_everywhere(kText, width)); };
  EXPECT_EQ(with("512"), "(neg)+(sum)+out") << "a row is in registers";
  EXPECT_EQ(with("8192"), "neg+(sum)+out");
}

TEST(Fuse, RowsAndColumnsOfATensorAreReducedInOneKernel) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[8192, {}]\n"
      "rows = aten.sum.dim_IntList(primals_1, [1]) : f32[8192]\n"
      "columns = aten.sum.dim_IntList(primals_1, [0]) : f32[{}]\n"
      "return rows, columns |";
  const auto with = [&](std::string_view width, Release release) { return of_gpu(filled(filled(kText, width), width), release); };
  EXPECT_EQ(with("1024", Release{13}), "rows+(columns) columns") << "the parts of the columns are in a workspace";
  EXPECT_EQ(with("8192", Release{13}), "rows columns columns") << "not twice as many rows as columns";
  EXPECT_EQ(with("4097", Release{13}), "rows columns columns");
  EXPECT_EQ(with("4097", Release{15}), "rows+(columns) columns");
  EXPECT_EQ(with("64", Release{15}), "rows columns columns") << "too small to be worth it";
}

// Strides of a tensor of 64 times 64 times 64 elements whose dimension `inner` is the innermost.
std::string innermost(int inner) {
  constexpr std::string_view kStrides[] = {"{1, 4096, 64}", "{4096, 1, 64}", "{4096, 64, 1}"};
  return " : f32[64, 64, 64]" + std::string(kStrides[inner]) + "@0\n";
}

// Two kernels that share an input, and each of which reads one whose innermost dimension is that.
std::string in_two_layouts(int first, int second) {
  return "primals_1 = placeholder : f32[64, 64, 64]\nprimals_2 = placeholder" + innermost(first) + "primals_3 = placeholder" +
         innermost(second) +
         "add = aten.add.Tensor(primals_1, primals_2) : f32[64, 64, 64]\n"
         "sub = aten.sub.Tensor(primals_1, primals_3) : f32[64, 64, 64]\nreturn add, sub |";
}

TEST(Fuse, KernelsThatAreTiledOtherwiseStayApartOnAGpu) {
  EXPECT_EQ(of_gpu(in_two_layouts(0, 0)), "add+sub");
  EXPECT_EQ(of_gpu(in_two_layouts(0, 1)), "add sub");
  EXPECT_EQ(of_gpu(in_two_layouts(0, 2)), "add+sub") << "one of them is not tiled";
}

TEST(Fuse, AKernelIsTiledAsTheReductionBesideIt) {
  const auto with = [](int inner) {
    return of_gpu("primals_1 = placeholder : f32[64, 64, 64]\nprimals_2 = placeholder" + innermost(inner) +
                  "sum = aten.sum.dim_IntList(primals_1, [2]) : f32[64, 64]\n"
                  "add = aten.add.Tensor(primals_1, primals_2) : f32[64, 64, 64]\nreturn sum, add |");
  };
  EXPECT_EQ(with(2), "sum+add");
  EXPECT_EQ(with(1), "sum+add") << "cut behind the second loop, as the reduction is";
  EXPECT_EQ(with(0), "sum add");
}

// A value of the largest of its row and of one in another layout, then the same for that value and its row's sum.
constexpr std::string_view kTwoRows =
    "amax = aten.amax.default(primals_1, [2], True) : f32[64, 64, 1]\n"
    "add = aten.add.Tensor(primals_1, primals_2) : f32[64, 64, 64]\n"
    "sub = aten.sub.Tensor(add, amax) : f32[64, 64, 64]\n"
    "mul = aten.mul.Tensor(sub, primals_3) : f32[64, 64, 64]\n"
    "div = aten.div.Tensor(mul, primals_4) : f32[64, 64, 64]\n";

std::string two_rows(std::string_view rest) {
  std::string text = "primals_1 = placeholder : f32[64, 64, 64]\nprimals_2 = placeholder" + innermost(0);
  for (const char* name : {"primals_3", "primals_4"}) text += name + std::string(" = placeholder : f32[64, 64, 64]\n");
  return text + std::string(kTwoRows) + std::string(rest);
}

TEST(Fuse, AKernelTakesTheLoopsOfTheReductionThatItReads) {
  EXPECT_EQ(of_gpu(two_rows("return div |")), "(amax)+div");
}

TEST(Fuse, ReadersWithTwoAccessPatternsFuseSince2_15) {
  const std::string text = two_rows(
      "primals_5 = placeholder : f32[64, 64]\n"
      "mm = aten.mm.default(primals_5, primals_5) : f32[64, 64]\n"
      "sum = aten.sum.dim_IntList(div, [2], True) : f32[64, 64, 1]\n"
      "scaled = aten.mul.Tensor(div, sum) : f32[64, 64, 64]\n"
      "out = aten.add.Tensor(scaled, primals_2) : f32[64, 64, 64]\nreturn mm, out |");
  EXPECT_EQ(of_gpu(text, Release{13}), "(amax)+div [mm] (sum)+out");
  EXPECT_EQ(of_gpu(text, Release{15}), "(amax)+(div)+(sum)+out [mm]");
}

TEST(Fuse, APairThatSharesFarMoreIsFusedBeforeOneThatIsAlike) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[64, {}]\n"
      "primals_2 = placeholder : f32[64, {}]\n"
      "primals_3 = placeholder : f32[64, 1]\n"
      "primals_4 = placeholder : f32[64, 64]\n"
      "a = aten.add.Tensor(primals_1, primals_3) : f32[64, {}]\n"
      "sum = aten.sum.dim_IntList(a, [1], True) : f32[64, 1]\n"
      "mm = aten.mm.default(primals_4, sum) : f32[64, 1]\n"
      "b = aten.add.Tensor(primals_2, primals_3) : f32[64, {}]\n"
      "mul = aten.mul.Tensor(b, mm) : f32[64, {}]\n"
      "sum_1 = aten.sum.dim_IntList(mul, [1], True) : f32[64, 1]\n"
      "return a, b, sum_1 |";
  const auto of_rows = [&](std::string_view size) { return fused_kernels(filled_everywhere(kText, size), rules_for_gpu()); };
  EXPECT_EQ(of_rows("32"), "a+sum [mm] b+sum_1") << "32 times as much";
  EXPECT_EQ(of_rows("16"), "a+b+sum [mm] sum_1") << "16 times as much";
}

}  // namespace
}  // namespace fxcut
