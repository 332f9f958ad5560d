// Decisions with less memory than one that was made.
#include "partition/ways_out.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>

#include "cost/estimators.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "settings/memory_limit.h"

namespace fxcut {
namespace {

// The backward needs two values of each layer, neither recomputed by default: a product, and a larger one that is faster to
// compute.
std::string chain(int layers) {
  std::string text = "primals_1 = placeholder : f32[64, 64]@0\ntangents_1 = placeholder : f32[64, 64]@1\n";
  int storage = 2;
  const auto add = [&](std::string call, std::string_view sizes) {
    text += fmt::format("{} : f32[{}]@{}\n", call, sizes, storage++);
  };
  for (int i = 1; i <= layers; ++i) {
    add(fmt::format("f{} = aten.mm.default({}, primals_1)", i, i == 1 ? "primals_1" : fmt::format("h{}", i - 1)), "64, 64");
    add(fmt::format("b{0} = my.larger.default(f{0})", i), "64, 256");
    add(fmt::format("h{0} = my.smaller.default(b{0})", i), "64, 64");
  }
  for (int i = layers; i > 0; --i) {
    add(fmt::format("c{0} = my.backward.default({1}, b{0})", i, i == layers ? "tangents_1" : fmt::format("g{}", i + 1)),
        "64, 64");
    add(fmt::format("g{0} = aten.mul.Tensor(c{0}, f{0})", i), "64, 64");
  }
  return text + fmt::format("return h{} | g1\n", layers);
}

TEST(WaysOut, AreWhatTheCommandsDecide) {
  const JointGraph joint = joint_graph(chain(40));
  const Partition decided = partition(joint, {});
  const std::vector<WayOut> ways = WaysOut(joint, {}, {}).below(decided.report);
  ASSERT_FALSE(ways.empty());
  Int128 peak = decided.report.memory.peak_bytes;
  const std::vector<WayTaken> taken = take_ways_out(ways, joint, {}, {});
  ASSERT_EQ(taken.size(), ways.size());
  for (const auto& [way, made] : taken) {
    EXPECT_LT(way.peak_bytes, peak);
    peak = way.peak_bytes;
    const Report& found = made.report;
    EXPECT_EQ(found.totals.saved_bytes_not_static, way.held_bytes);
    EXPECT_TRUE(found.memory.peak_bytes == way.peak_bytes);
    EXPECT_NEAR(found.run_time->recomputed_ms - decided.report.run_time->recomputed_ms, way.more_ms, 1e-6);
  }
}

TEST(WaysOut, AreAFew) {
  const JointGraph joint = joint_graph(chain(200));
  const std::size_t ways = WaysOut(joint, {}, {}).below(partition(joint, {}).report).size();
  EXPECT_GE(ways, 1u);
  EXPECT_LE(ways, 4u);
}

TEST(WaysOut, HaveNoLimitOfTheirOwn) {
  const JointGraph joint = joint_graph(chain(40));
  const Report decided = partition(joint, {}).report;
  Settings limited;
  limited.saved_bytes_limit = limit_of_bytes(400);
  const std::vector<WayOut> with = WaysOut(joint, limited, {}).below(decided);
  const std::vector<WayOut> without = WaysOut(joint, {}, {}).below(decided);
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t i = 0; i < with.size(); ++i) EXPECT_EQ(with[i].held_bytes, without[i].held_bytes);
}

TEST(WaysOut, AreNotEvenLookedForWhereTheSolverRefusesTheGraph) {
  const auto joint = std::make_shared<const JointGraph>(joint_graph(chain(40)));
  Settings by_measured;
  by_measured.activation_memory_budget_runtime_estimator = find_row(estimators(), "profile");
  EXPECT_EQ(find_ways_out_ahead(joint, by_measured, {}).get(), nullptr) << "no node says how long it ran";
}

TEST(WaysOut, AreNoneByAnotherEstimatorThanRunTimes) {
  const JointGraph joint = joint_graph(chain(40));
  Settings by_calls;
  by_calls.activation_memory_budget_runtime_estimator = find_row(estimators(), "testing");
  EXPECT_TRUE(WaysOut(joint, by_calls, {}).below(partition(joint, {}).report).empty());
}

}  // namespace
}  // namespace fxcut
