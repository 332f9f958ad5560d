// Imaginary PyTorch releases: 2.16, which reverts one change of 2.15, and a 2.9 with another change that lasts two releases.
// imaginary_release.cmake puts them into release.cpp and changes.cpp, which are linked in place of the library's; nothing else
// knows of them.
#include <gtest/gtest.h>

#include "classify/operator_table.h"
#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

constexpr Release kTorch2_16{16};

// A device, which 2.15 never saves, and zeros of either sign, which 2.15 keeps apart.
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

TEST(ImaginaryRelease, DecidesAsTheLastOneButForWhatItTakesBack) {
  EXPECT_EQ(answer(kTorch2_15), "primals_1 device scale zero sum loss output | tangents_1 device scale grad output");
  EXPECT_EQ(answer(kTorch2_16), "primals_1 device scale zero sum loss output | scale tangents_1 grad output");
}

TEST(ImaginaryRelease, MayHaveAChangeForAWhile) {
  for (const Release release : {kTorch2_8, kTorch2_11, kTorch2_13}) {
    EXPECT_EQ(answer(release), "primals_1 device scale zero sum loss output | scale tangents_1 grad output") << release.minor;
  }
  for (const Release release : {kTorch2_9, kTorch2_10}) {
    EXPECT_EQ(answer(release), "primals_1 device scale zero minus_zero sum loss output | scale tangents_1 grad output")
        << release.minor;
  }
}

TEST(ImaginaryRelease, KeepsTheOperatorsOfTheLastOne) {
  EXPECT_TRUE(is_known_torch_version("2.16"));
  for (const std::string_view since_2_15 : {"_c10d_functional.wait_tensors.default", "aten.shallow_copy_data_.default"}) {
    EXPECT_FALSE(make_operator(since_2_15, kTorch2_13).known);
    EXPECT_TRUE(make_operator(since_2_15, kTorch2_15).known);
    EXPECT_TRUE(make_operator(since_2_15, kTorch2_16).known);
  }
}

}  // namespace
}  // namespace fxcut
