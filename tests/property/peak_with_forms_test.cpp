// Values in fewer bits never raise the lowest peak, and never make a decision within a limit of it dearer.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "graph_text.h"
#include "random_joint_graph.h"
#include "random_partition.h"
#include "seeds.h"
#include "settings/memory_limit.h"

namespace fxcut {
namespace {

TEST(PeakWithForms, ThePeakIsNoHigherAndTheDecisionNoDearerThanWithout) {
  std::size_t lower = 0;
  for (std::uint32_t seed = 1; seed <= seeds(40); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const JointGraph joint = joint_graph(random_joint_graph(seed, {.primals = 3, .forward_calls = 14, .backward_calls = 14}));
    Settings plain;
    plain.peak_bytes_limit = least_limit();
    Settings with_forms = plain;
    with_forms.compress = Compress::Auto;
    const auto as_they_are = partition_if_any(joint, plain), in_forms = partition_if_any(joint, with_forms);
    if (!as_they_are) continue;
    ASSERT_TRUE(in_forms);
    const Int128 lowest = as_they_are->memory.peak_bytes();
    EXPECT_TRUE(in_forms->memory.peak_bytes() <= lowest);
    lower += in_forms->memory.peak_bytes() < lowest;
    with_forms.peak_bytes_limit = plain.peak_bytes_limit = limit_of_bytes(static_cast<std::int64_t>(lowest));
    const auto by_keeping = partition_if_any(joint, plain), by_forms = partition_if_any(joint, with_forms);
    if (!by_keeping || !by_keeping->report.frontier) continue;
    ASSERT_TRUE(by_forms && by_forms->report.frontier);
    EXPECT_TRUE(by_forms->report.frontier->run_cost <= by_keeping->report.frontier->run_cost);
  }
  EXPECT_GT(lower, 0u) << "fewer bits never lower a peak";
}

}  // namespace
}  // namespace fxcut
