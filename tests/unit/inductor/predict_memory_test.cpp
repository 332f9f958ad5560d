// Which inputs of the backward its results may take the memory of.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

constexpr std::int64_t kMatrix = 4 * 64 * 64;

std::int64_t backward_peak(std::string_view graph) {
  Settings settings;
  settings.memory_of = MemoryOf::Compiled;
  return static_cast<std::int64_t>(partition(joint_graph(graph), settings).report.memory.compiled->backward_peak_bytes);
}

// The gradient of exp is that of its result times the result, which is read by nothing else.
std::string gradient_of_exp(std::string_view returned) {
  return "primals_1 = placeholder : f32[64, 64]@1 static\n"
         "primals_2 = placeholder : f32[64, 64]@2 static\n"
         "tangents_1 = placeholder : f32[64, 64]@3\n"
         "mm = aten.mm.default(primals_1, primals_2) : f32[64, 64]@4\n"
         "exp = aten.exp.default(mm) : f32[64, 64]@5\n"
         "mm_1 = aten.mm.default(exp, primals_2) : f32[64, 64]@6\n"
         "mul = aten.mul.Tensor(tangents_1, exp) : f32[64, 64]@7\n"
         "mm_2 = aten.mm.default(mul, primals_2) : f32[64, 64]@8\n"
         "mm_3 = aten.mm.default(primals_1, mul) : f32[64, 64]@9\n"
         "return " +
         std::string(returned) + " | mm_2, mm_3\n";
}

TEST(PredictMemory, AResultOfTheForwardIsNotTaken) {
  EXPECT_EQ(backward_peak(gradient_of_exp("mm_1")), 4 * kMatrix) << "mm_1, and both gradients beside what exp became";
  EXPECT_EQ(backward_peak(gradient_of_exp("exp")), 4 * kMatrix) << "exp, what is computed of it, and both gradients";
}

}  // namespace
}  // namespace fxcut
