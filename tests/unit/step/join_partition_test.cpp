// Values that several regions of the backward use are recomputed in each if that lowers the peak.
#include "step/join_partition.h"

#include <gtest/gtest.h>

#include <string>

#include "graph_text.h"
#include "partition/partition.h"

namespace fxcut {
namespace {

// Two backwards through `a`, which is as large as `middle`, a value of the forward between them.
std::string two_regions(std::string_view middle) {
  return R"(
    x = placeholder : f32[100]
    a = aten.sin.default(x) : f32[100] recompute=MUST_RECOMPUTE
    l = aten.sum.default(a) : f32[]
    g = aten.mul.Tensor(a, l) : f32[100] autograd_backward=true
    gs = aten.sum.default(g) : f32[] autograd_backward=true
    )" + std::string(middle) + R"(
    k = aten.sum.default(m) : f32[]
    h = aten.mul.Tensor(a, k) : f32[100] autograd_backward=true
    hs = aten.sum.default(h) : f32[] autograd_backward=true
    return l, gs, hs)";
}

TEST(JoinPartition, EachRegionRecomputesWhereThatLowersThePeak) {
  const Partition made = partition(step_graph(two_regions("m = aten.cat.default([x, x, x, x]) : f32[400]")), {});
  EXPECT_EQ(names_of(*made.step),
            "x a l a_recomputed g gs m k a_recomputed_1 h hs output");
  EXPECT_EQ(made.report.step->recomputed_again, 1u);
  EXPECT_EQ(made.report.memory.peak_bytes, 1612) << "m, and three sums";
}

TEST(JoinPartition, ValuesKeptBetweenRegionsAreRecomputedOnceAtTheSamePeak) {
  const Partition made = partition(step_graph(two_regions("m = aten.neg.default(l) : f32[]")), {});
  EXPECT_EQ(names_of(*made.step), "x a l a_recomputed g gs m k h hs output");
  EXPECT_EQ(made.report.step->recomputed_again, 0u);
}

TEST(JoinPartition, NothingIsRecomputedBehindAWrite) {
  const std::string written =
      two_regions("m = aten.cat.default([x, x, x, x]) : f32[400]\n    w = aten.mul_.Tensor(x, 2) : f32[100]");
  const Partition made = partition(step_graph(written), {});
  EXPECT_EQ(made.report.step->recomputed_again, 0u);
}

}  // namespace
}  // namespace fxcut
