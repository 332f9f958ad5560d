// A limit of the peak holds by an independent count, and hardly ever is a choice of the frontier cheaper that holds too.
#include "partition/peak_search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cost/estimators.h"
#include "counted_partition.h"
#include "frontier_graphs.h"
#include "partition/trace_frontier.h"
#include "seeds.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kSearchedGraphs = seeds(200);

Settings saving_at_most(std::int64_t bytes) {
  Settings settings;
  settings.activation_memory_budget_solver = frontier_solver();
  settings.activation_memory_budget_runtime_estimator = RowOf<Estimator>{};  // flops, which is compared here
  settings.saved_bytes_limit = limit_of_bytes(bytes);
  return settings;
}

Settings peaking_at_most(Int128 bytes) {
  Settings settings;
  settings.activation_memory_budget_runtime_estimator = RowOf<Estimator>{};
  settings.peak_bytes_limit = limit_of_bytes(static_cast<std::int64_t>(bytes));
  return settings;
}

Int128 counted_peak(const JointGraph& joint, const Partition& partition) {
  const CountedMemory counted = count_partition(joint, partition);
  return *std::max_element(counted.bytes.begin(), counted.bytes.end());
}

// The choices along the frontier, cheapest last.
std::vector<Partition> partitions_along_frontier(const JointGraph& joint) {
  std::vector<Partition> choices;
  for (const TracedPoint& point : trace_frontier(joint, {}, estimators().front())) {
    choices.push_back(partition(joint, saving_at_most(point.choice.saved_bytes)));
  }
  return choices;
}

TEST(PeakSearch, TheLimitHoldsAndHardlyEverOneOfTheFrontierIsCheaper) {
  std::size_t cheaper_ones = 0, compared = 0;
  for_each_frontier(kSearchedGraphs, partitions_along_frontier, [&](const JointGraph& joint, const auto& choices) {
    for (const Partition& choice : choices) {
      const Int128 limit = choice.memory.peak_bytes();
      const Partition found = partition_within_peak(joint, peaking_at_most(limit));
      EXPECT_TRUE(counted_peak(joint, found) <= limit);
      const Int128 cost = found.report.frontier->run_cost;
      EXPECT_TRUE(found.report.peak_limit->bound.value_or(0) <= cost);
      for (const Partition& other : choices) {
        if (other.memory.peak_bytes() > limit) continue;
        ++compared;
        if (other.report.frontier->run_cost < cost) ++cheaper_ones;
      }
    }
  });
  EXPECT_LE(cheaper_ones, compared / 500);  // it is a search without a proof
}

TEST(PeakSearch, BelowTheLowestItSaysWhatTheLowestIs) {
  std::size_t lower_ones = 0, compared = 0;
  for_each_frontier(kSearchedGraphs / 2, partitions_along_frontier, [&](const JointGraph& joint, const auto& choices) {
    Settings least;
    least.peak_bytes_limit = parse_memory_limit("least");
    const Partition lowest = partition_within_peak(joint, least);
    const Int128 peak = lowest.memory.peak_bytes();
    EXPECT_TRUE(counted_peak(joint, lowest) == peak);
    for (const Partition& choice : choices) {
      ++compared;
      if (choice.memory.peak_bytes() < peak) ++lower_ones;
    }
    try {
      partition_within_peak(joint, peaking_at_most(peak - 1));
      ADD_FAILURE() << "a lower peak is possible";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
      EXPECT_NE(std::string(failure.what()).find(std::to_string(static_cast<std::int64_t>(peak))), std::string::npos)
          << failure.what();
    }
  });
  EXPECT_LE(lower_ones, compared / 500);
}

}  // namespace
}  // namespace fxcut
