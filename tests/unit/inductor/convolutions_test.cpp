// The inputs of a GPU's convolutions, and the kernel that adds their bias.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "inductor/lower.h"
#include "programs.h"

namespace fxcut {
namespace {

TEST(Convolutions, OnAGpuABiasIsAddedByTheKernelThatReadsTheResult) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[8, 3, 3, 3]\n"
      "primals_2 = placeholder : f32[2, 3, 16, 16]\n"
      "primals_3 = placeholder : f32[8]\n"
      "conv = aten.convolution.default(primals_2, primals_1, primals_3, [1, 1], [1, 1], [1, 1], False, [0, 0], 1) : "
      "f32[2, 8, 16, 16]\n"
      "relu = aten.relu.default(conv) : f32[2, 8, 16, 16]\n"
      "return {} |";
  EXPECT_EQ(fused_kernels(filled(kText, "relu"), rules_for_gpu()), "[conv] relu");
  EXPECT_EQ(fused_kernels(filled(kText, "relu, conv"), rules_for_gpu()), "[conv] conv+relu") << "the sum is what is returned";
  EXPECT_EQ(fused_kernels(filled(kText, "conv"), rules_for_gpu()), "[conv] conv");
}

TEST(Convolutions, SavedInputsOnAGpuAreChannelsLastCopies) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[{}, 3, 3]\n"
      "primals_2 = placeholder : f32[2, 128, 8, 8]{8192, 1, 1024, 128}\n"
      "weight = aten.neg.default(primals_1) : f32[{}, 3, 3]\n"
      "wide = aten.neg.default(primals_2) : f32[2, 128, 8, 8]{8192, 1, 1024, 128}\n"
      "conv = aten.convolution.default(wide, weight, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1) : f32[2, 128, 8, 8]\n"
      "return conv, primals_1, primals_2 |";
  const auto copied = [&](std::string_view channels) {
    const JointGraph joint = joint_graph(filled(filled(kText, channels), channels));
    std::string names;
    for (const NodeId id : lower(joint.graph, rules_for_gpu()).copied_inputs) names += joint.graph[id].name + " ";
    return names;
  };
  EXPECT_EQ(copied("128, 128"), "primals_1 ");
  EXPECT_EQ(copied("64, 128"), "") << "convolutions have no channels last";
}

TEST(Convolutions, OneDimensionalOnesReadTheirInputInTheResultsOrder) {
  constexpr std::string_view kText =
      "primals_1 = placeholder : f32[4, 1, 3]\n"
      "primals_2 = placeholder : f32[2, 16, 4]\n"
      "mm = aten.bmm.default(primals_2, {}) : f32[2, 16, 4]\n"
      "permute = aten.permute.default(mm, [0, 2, 1]) : f32[2, 4, 16]{64, 1, 4}\n"
      "conv = aten.convolution.default(permute, primals_1, None, [1], [1], [1], False, [0], 4) : f32[2, 4, 16]\n"
      "return conv, primals_3 |";
  const std::string text = "primals_3 = placeholder : f32[2, 4, 4]\n" + filled(kText, "primals_3");
  EXPECT_EQ(fused_kernels(text, rules_for_gpu()), "[mm] conv [conv]") << "of a transposed tensor a copy";
}

}  // namespace
}  // namespace fxcut
