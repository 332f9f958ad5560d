// No decision has a lower peak of its compiled code than the bound, nor costs less within a limit of it than that bound: all
// decisions of small graphs are tried.
#include "peak/compiled_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "frontier/fixings.h"
#include "graph_text.h"
#include "partition/frontier_steps.h"
#include "peak/given_choices.h"
#include "peak/step_simulation.h"
#include "random_joint_graph.h"
#include "seeds.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kSmallGraphs = seeds(150);
constexpr std::size_t kMaxOpenStorages = 8;

void put_on_card(Value& value) {
  if (value.is_tensor()) value.tensor.device = "cuda:0";
  for (Value& item : value.items) put_on_card(item);
}

JointGraph small_graph(std::uint32_t seed, bool on_card) {
  const JointGraphShape shape{.primals = 3, .forward_calls = 8 + static_cast<int>(seed % 7), .backward_calls = 10};
  JointGraph joint = joint_graph(random_joint_graph(seed, shape));
  for (Node& node : joint.graph.nodes) {
    if (!on_card || !node.value) continue;
    auto value = std::make_shared<Value>(*node.value);
    put_on_card(*value);
    node.value = value;
  }
  return joint;
}

struct Decided {
  Int128 peak_bytes, run_cost;
};

std::vector<Decided> all_decisions(FrontierSteps& steps, const RecomputeProblem& problem, const FixedState& state) {
  std::vector<KeptStorages> choices;
  Evaluation evaluation(problem);
  for_each_choice(state.fixings, [&](const KeptStorages& kept) {
    if (evaluation.run(kept).feasible) choices.push_back(kept);
    return true;
  });
  std::vector<const KeptStorages*> all;
  for (const KeptStorages& kept : choices) all.push_back(&kept);
  const std::vector<std::optional<PredictedCost>> costs = steps.costs(problem, all);
  std::vector<Decided> decided;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (costs[i]) decided.push_back({*costs[i]->compiled_peak_bytes, evaluation.run(choices[i]).run_cost});
  }
  return decided;
}

// Checks at the peak of each decision as a limit; returns how many bounds are reached.
std::size_t check_bounds(const CompiledBounds& bounds, const std::vector<Decided>& decided, std::size_t items) {
  std::size_t reached = 0;
  for (const Decided& limit : decided) {
    WorkBudget work({}, items);
    const CompiledBound bound = bounds.within(limit.peak_bytes, work);
    Int128 least = limit.run_cost;
    for (const Decided& other : decided) {
      if (other.peak_bytes <= limit.peak_bytes) least = std::min(least, other.run_cost);
    }
    EXPECT_TRUE(bound.is_possible);
    EXPECT_TRUE(bound.run_cost <= least) << static_cast<double>(bound.run_cost) << " > " << static_cast<double>(least);
    EXPECT_TRUE(bounds.floor_bytes() <= limit.peak_bytes);
    if (bound.run_cost == least) ++reached;
  }
  return reached;
}

void check_small_graphs(bool on_card) {
  Settings settings;
  settings.memory_of = MemoryOf::Compiled;
  std::size_t compared = 0, reached = 0;
  for (std::uint32_t seed = 1; seed <= kSmallGraphs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    try {
      FrontierSteps steps(small_graph(seed, on_card), settings, {});
      if (steps.backward_is_empty()) continue;
      const RecomputeProblem problem = costed_problem(steps.analysis(), steps.storages(), estimators().front());
      const std::optional<FixedState> state = propagate(problem, all_open(problem), kNoLimit);
      if (!state || count_open(state->fixings) > kMaxOpenStorages) continue;
      const StepSimulation simulation(steps.analysis(), problem, steps.storages());
      const std::vector<Decided> decided = all_decisions(steps, problem, *state);
      compared += decided.size();
      reached += check_bounds(CompiledBounds(steps.analysis(), problem, simulation), decided, problem.items.size());
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::NoPartition) << failure.what();
    }
  }
  EXPECT_GT(compared, kSmallGraphs * 5);
  EXPECT_GT(reached, compared / 3);
}

TEST(CompiledBound, IsNeverAboveTheBestOfAllDecisionsOnACpu) { check_small_graphs(false); }
TEST(CompiledBound, IsNeverAboveTheBestOfAllDecisionsOnACard) { check_small_graphs(true); }

}  // namespace
}  // namespace fxcut
