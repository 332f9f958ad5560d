// A limit of the peak of compiled code holds, and hardly ever is a choice of the frontier cheaper that holds too.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "cost/estimators.h"
#include "frontier_graphs.h"
#include "partition/trace_frontier.h"
#include "random_partition.h"
#include "seeds.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kCompiledGraphs = seeds(40);

Settings of_code() {
  Settings settings;
  settings.activation_memory_budget_runtime_estimator = RowOf<Estimator>{};  // flops, which is compared here
  settings.memory_of = MemoryOf::Compiled;
  return settings;
}

struct PricedPeak {
  Int128 code_bytes, run_cost;
};

PricedPeak choice_of(const Partition& partition) {
  return {partition.report.memory.compiled->peak_bytes, partition.report.frontier->run_cost};
}

// Along the frontier of saved bytes.
std::vector<PricedPeak> choices_along_frontier(const JointGraph& joint) {
  std::vector<PricedPeak> choices;
  Settings settings = of_code();
  settings.activation_memory_budget_solver = frontier_solver();
  for (const TracedPoint& point : trace_frontier(joint, {}, estimators().front())) {
    settings.saved_bytes_limit = limit_of_bytes(point.choice.saved_bytes);
    choices.push_back(choice_of(partition(joint, settings)));
  }
  return choices;
}

// nullopt if none is found.
std::optional<PricedPeak> within(const JointGraph& joint, const MemoryLimit& limit) {
  Settings settings = of_code();
  settings.peak_bytes_limit = limit;
  const auto found = partition_if_any(joint, settings);
  return found ? std::optional(choice_of(*found)) : std::nullopt;
}

TEST(CompiledPeak, TheLimitHoldsAndHardlyEverOneOfTheFrontierIsCheaper) {
  std::size_t cheaper = 0, compared = 0;
  for_each_frontier(kCompiledGraphs, choices_along_frontier, [&](const JointGraph& joint, const auto& choices) {
    for (const PricedPeak& choice : choices) {
      const auto found = within(joint, limit_of_bytes(static_cast<std::int64_t>(choice.code_bytes)));
      if (found) {
        EXPECT_LE(found->code_bytes, choice.code_bytes);
      }
      for (const PricedPeak& other : choices) {
        if (other.code_bytes > choice.code_bytes) continue;
        ++compared;
        if (!found || other.run_cost < found->run_cost) ++cheaper;
      }
    }
  });
  EXPECT_LE(cheaper, compared / 100);  // it is a search without a proof
}

TEST(CompiledPeak, TheLeastIsHardlyEverAboveOneOfTheFrontier) {
  std::size_t lower = 0, compared = 0;
  for_each_frontier(kCompiledGraphs, choices_along_frontier, [&](const JointGraph& joint, const auto& choices) {
    const std::optional<PricedPeak> least = within(joint, least_limit());
    ASSERT_TRUE(least);
    for (const PricedPeak& other : choices) {
      ++compared;
      if (other.code_bytes < least->code_bytes) ++lower;
    }
  });
  EXPECT_LE(lower, compared / 100);
}

}  // namespace
}  // namespace fxcut
