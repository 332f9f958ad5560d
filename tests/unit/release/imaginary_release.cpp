// Releases of PyTorch that there are not: 2.16, which takes a change of 2.15 back, and 2.14 with a change that 2.15 takes back.
// imaginary_release.cmake changes a row or two of release.cpp, which is linked in the place of the library's; nothing else knows
// of it.
#include <gtest/gtest.h>

#include "classify/operator_table.h"
#include "graph_text.h"
#include "pipeline/pipeline.h"

namespace fxcut {
namespace {

constexpr Release kImaginary{16};

// A device, which 2.15 alone never saves, and zeros of either sign, which 2.14 alone keeps apart.
constexpr std::string_view kStep = R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    device = my.current_device.default() : other(device)
    scale = aten.full.default([4], 2, device=device) : f32[4]
    zero = aten.div.Tensor(primals_1, 0.0) : f32[4]
    minus_zero = aten.div.Tensor(primals_1, -0.0) : f32[4]
    sum = aten.add.Tensor(zero, minus_zero) : f32[4]
    loss = aten.mul.Tensor(sum, scale) : f32[4]
    grad = aten.mul.Tensor(tangents_1, scale) : f32[4]
    return loss | grad)";

std::string answer(Release release) {
  const Partition made = partition(joint_graph(made_by(release) + std::string(kStep)), {});
  EXPECT_EQ(made.report.torch.release, release);
  return names_of(made.graphs.forward) + " | " + names_of(made.graphs.backward);
}

TEST(ImaginaryRelease, DecidesAsTheOneBeforeButForWhatItChanges) {
  EXPECT_EQ(answer(Release{13}),
            "primals_1 device scale zero sum loss output | scale tangents_1 grad output");
  EXPECT_EQ(answer(Release{14}),
            "primals_1 device scale zero minus_zero sum loss output | scale tangents_1 grad output");
  EXPECT_EQ(answer(Release{15}),
            "primals_1 device scale zero sum loss output | tangents_1 device scale grad output");
  EXPECT_EQ(answer(kImaginary),
            "primals_1 device scale zero sum loss output | scale tangents_1 grad output");
}

TEST(ImaginaryRelease, KeepsTheOperatorsOfTheLastOne) {
  EXPECT_TRUE(is_known_torch_version("2.16"));
  for (const std::string_view since_2_15 : {"_c10d_functional.wait_tensors.default", "aten._scaled_addmm.out"}) {
    EXPECT_FALSE(make_operator(since_2_15, Release{13}).known);
    EXPECT_TRUE(make_operator(since_2_15, Release{15}).known);
    EXPECT_TRUE(make_operator(since_2_15, kImaginary).known);
  }
}

}  // namespace
}  // namespace fxcut
