// The search for a low peak against every choice of kept storages, each of which is really partitioned.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "classify/purity.h"
#include "finish/finish.h"
#include "frontier/recompute_problem.h"
#include "frontier/with_forms.h"
#include "frontier/work_budget.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "peak/improve_choice.h"
#include "peak/least_peak.h"
#include "peak/priced_positions.h"
#include "peak/rest_of_backward.h"
#include "peak/room.h"
#include "peak/search_within_peak.h"
#include "peak/step_simulation.h"
#include "random_joint_graph.h"
#include "small_training_step.h"

namespace fxcut {
namespace {

// A graph to decide on.
struct Case {
  explicit Case(JointGraph joint)
      : decision(decide(std::move(joint), settings, {}, kNeverHalt)),
        distance(distance_from_backward(decision.joint.graph, decision.users, decision.roles)),
        problem(costed_problem(analysis, decision.storages, estimator_of_frontier(settings))) {}
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  // The peak of the two graphs made by the evaluation's choice.
  Int128 partitioned_peak(const Evaluation& evaluation) {
    Decision decided = decision;
    decided.choice.saved.clear();
    for (ItemIndex i = 0; i < problem.items.size(); ++i) {
      Node& node = decided.joint.graph[problem.items[i].node];
      if (evaluation.is_saved(i)) decided.choice.saved.push_back(problem.items[i].node);
      if (!evaluation.is_recomputed(i) || !draws_numbers(node)) continue;
      if (!node.must_recompute()) node.meta.recompute = CheckpointPolicy::PreferRecompute;
      decided.needs.has_random_regions = true;
    }
    return carry_out(decided, settings).memory.peak_bytes();
  }

  Settings settings;
  Decision decision;
  std::vector<std::int64_t> distance;
  Analysis analysis{decision.joint, decision.users, decision.roles, distance, settings};
  RecomputeProblem problem;
};

// The same where some values may also be kept in fewer bits, or only so.
struct CaseWithForms : Case {
  CaseWithForms(JointGraph joint, std::uint32_t seed) : Case(std::move(joint)) {
    std::mt19937 random(seed);
    std::vector<std::optional<FormOfFewerBits>> forms(decision.joint.graph.size());
    for (const Item& item : problem.items) {
      if (random() % 3 == 0 || item.storage == kNoStorage || !decision.joint.graph[item.node].is_call()) continue;
      const std::int64_t bytes = problem.storages[item.storage].bytes * static_cast<std::int64_t>(1 + random() % 6) / 8;
      const Int128 cost = random() % 2'000;
      const bool is_fixed = random() % 4 == 0;
      if (bytes > 0) forms[index_of(item.node)] = FormOfFewerBits{Compression::Scaled, nullptr, bytes, 0, cost, is_fixed};
    }
    problem = with_forms(problem, forms);
  }
};

KeptStorages chosen(std::uint32_t bits, std::size_t storages) {
  KeptStorages kept(storages, false);
  for (std::size_t s = 1; s < storages; ++s) kept[s] = (bits >> ((s - 1) % 31) & 1) != 0;
  return kept;
}

TEST(PeakChoices, AreSimulatedAsTheyArePartitioned) {
  std::size_t compared = 0;
  const auto compare = [&](JointGraph joint, std::uint32_t seed) {
    Case c(std::move(joint));
    if (c.decision.roles.backward_is_empty) return;
    StepSimulation simulation(c.analysis, c.problem, c.decision.storages);
    Evaluation evaluation(c.problem);
    for (const std::uint32_t bits : {0u, 0x55555555u, 0x7fffffffu, seed * 2654435761u, seed * 40503u}) {
      if (!evaluation.run(chosen(bits, c.problem.storages.size())).feasible) continue;
      const StepSimulation::Result result = simulation.run(evaluation);
      EXPECT_TRUE(result.peak_bytes == c.partitioned_peak(evaluation)) << "seed " << seed << ", choice " << bits;
      ++compared;
    }
  };
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    compare(joint_graph(small_training_step(seed, 3 + static_cast<int>(seed % 12))), seed);
  }
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    JointGraph joint = joint_graph(random_joint_graph(seed, {}));
    // Copies to the host are added later.
    for (Node& node : joint.graph.nodes) {
      node.meta.recompute.reset();
      node.meta.should_offload = false;
    }
    compare(std::move(joint), seed);
  }
  EXPECT_GT(compared, 500u);
}

// For an additionally kept storage, room.h nearly always agrees with the simulation; and it answers for many.
TEST(PeakChoices, WithoutRoomHaveAHigherPeak) {
  std::size_t too_large = 0, said = 0, wrong = 0;
  const auto compare = [&](JointGraph joint, std::uint32_t seed) {
    Case c(std::move(joint));
    if (c.decision.roles.backward_is_empty) return;
    StepSimulation simulation(c.analysis, c.problem, c.decision.storages);
    Evaluation evaluation(c.problem);
    for (const std::uint32_t bits : {0u, 0x55555555u, seed * 2654435761u}) {
      KeptStorages kept = chosen(bits, c.problem.storages.size());
      const Outcome before = evaluation.run(kept);
      if (!before.feasible) continue;
      const Int128 peak = simulation.run(evaluation).peak_bytes;
      const Room room(c.problem, evaluation, simulation, simulation.run(evaluation));
      for (const StorageIndex s : worth_keeping(c.problem, evaluation)) {
        kept[s] = true;
        Evaluation with(c.problem);
        const Outcome outcome = with.run(kept);
        kept[s] = false;
        if (!outcome.feasible) continue;
        const bool is_higher = simulation.run(with).peak_bytes > peak;
        const bool is_exceeded = room.is_exceeded(s, outcome.bytes - before.bytes, peak);
        wrong += !is_higher && is_exceeded ? 1 : 0;
        too_large += is_higher ? 1 : 0;
        said += is_exceeded ? 1 : 0;
      }
    }
  };
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    compare(joint_graph(small_training_step(seed, 3 + static_cast<int>(seed % 20))), seed);
    JointGraph joint = joint_graph(random_joint_graph(seed, {}));
    for (Node& node : joint.graph.nodes) node.meta.recompute.reset();
    compare(std::move(joint), seed);
  }
  EXPECT_LT(20 * wrong, said) << wrong << " of " << said;
  EXPECT_GT(4 * said, too_large) << said << " of " << too_large;
  EXPECT_GT(too_large, 300u);
}

struct BestChoice {
  std::map<Int128, Int128> cost_at;  // peak -> the least cost with it
};

BestChoice try_all(Case& c, StepSimulation& simulation) {
  BestChoice best;
  Evaluation evaluation(c.problem);
  const std::size_t storages = c.problem.storages.size() - 1;
  for (std::uint32_t bits = 0; bits < (std::uint32_t{1} << storages); ++bits) {
    const Outcome outcome = evaluation.run(chosen(bits, storages + 1));
    if (!outcome.feasible) continue;
    const auto [found, is_new] = best.cost_at.emplace(simulation.run(evaluation).peak_bytes, outcome.run_cost);
    if (!is_new) found->second = std::min(found->second, outcome.run_cost);
  }
  return best;
}

struct ComparedChoices {
  std::size_t limits = 0, as_good = 0, graphs = 0;
};

// The search within each peak that some choice has, with all choices tried and as on large graphs.
void compare_with_all(Case& c, ComparedChoices& compared) {
  if (c.decision.roles.backward_is_empty || c.problem.storages.size() > 12) return;
  StepSimulation simulation(c.analysis, c.problem, c.decision.storages);
  const BestChoice all = try_all(c, simulation);
  if (all.cost_at.empty()) return;
  ++compared.graphs;
  const auto search = [&](MemoryLimit limit, std::size_t few) {
    return *search_within_peak(c.analysis, c.problem, c.decision.storages, limit, {}, {}, few);
  };
  Int128 best = all.cost_at.begin()->second;
  for (const auto& [peak, cost] : all.cost_at) {
    best = std::min(best, cost);
    MemoryLimit limit;
    limit.bytes = static_cast<std::int64_t>(peak);
    const PeakAnswer proven = search(limit, kFewStorages);
    ASSERT_TRUE(proven.choice);
    EXPECT_TRUE(proven.is_proven && proven.choice->run_cost == best && proven.choice->peak_bytes <= peak);
    const PeakAnswer found = search(limit, 0);
    EXPECT_TRUE(found.bound <= best);
    EXPECT_TRUE(found.floor_bytes <= all.cost_at.begin()->first);
    if (found.choice) {
      EXPECT_TRUE(found.choice->peak_bytes <= peak && found.choice->run_cost >= best);
      EXPECT_TRUE(!found.is_proven || found.choice->run_cost == best);
    }
    ++compared.limits;
    if (found.choice && found.choice->run_cost == best) ++compared.as_good;
  }
  MemoryLimit least;
  least.is_least = true;
  const PeakAnswer lowest = search(least, kFewStorages);
  EXPECT_TRUE(lowest.limit_bytes == all.cost_at.begin()->first);
  EXPECT_TRUE(lowest.choice->run_cost == all.cost_at.begin()->second);
  const PeakAnswer searched = search(least, 0);
  EXPECT_TRUE(searched.limit_bytes == lowest.limit_bytes && searched.floor_bytes <= lowest.limit_bytes);
  MemoryLimit too_low;
  too_low.bytes = static_cast<std::int64_t>(all.cost_at.begin()->first) - 1;
  const PeakAnswer none = search(too_low, kFewStorages);
  EXPECT_TRUE(!none.choice && none.floor_bytes == all.cost_at.begin()->first);
}

// With few storages all choices are tried, and the best is proven; without that, the same search as on large graphs
// nearly always finds the best, and never makes a false claim.
TEST(PeakChoices, AreTheBest) {
  ComparedChoices compared;
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Case c(joint_graph(small_training_step(seed, 3 + static_cast<int>(seed % 9))));
    compare_with_all(c, compared);
  }
  EXPECT_GT(compared.graphs, 40u);
  EXPECT_GE(compared.as_good * 100, compared.limits * 95);
}

TEST(PeakChoices, InFewerBitsAreTheBest) {
  ComparedChoices compared;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    CaseWithForms c(joint_graph(small_training_step(seed, 2 + static_cast<int>(seed % 5))), seed);
    if (!c.problem.forms.empty()) compare_with_all(c, compared);
  }
  EXPECT_GT(compared.graphs, 60u);
  EXPECT_GE(compared.as_good * 100, compared.limits * 95) << compared.as_good << " of " << compared.limits;
}

// A chain of layers of random sizes, some of which use an earlier one too; the backward uses them from the last to the first.
std::string layers(std::uint32_t seed, std::size_t count) {
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return random() % n; };
  std::string text = "primals_1 = placeholder : f32[8] static\ntangents_1 = placeholder : f32[8]\n", backward;
  std::string last = "primals_1", gradient = "tangents_1";
  for (std::size_t k = 1; k <= count; ++k) {
    const std::string more = k > 2 && below(3) == 0 ? fmt::format(", h{}", 1 + below(k - 1)) : "";
    text += fmt::format("h{} = my.layer.default({}{}) : f32[{}]\n", k, last, more, 1 + below(20));
    last = fmt::format("h{}", k);
  }
  for (std::size_t k = count; k > 0; --k) {
    const std::string more = below(4) == 0 ? fmt::format(", h{}", 1 + below(count)) : "";
    backward += fmt::format("b{} = my.backward.default({}, h{}{}) : f32[{}]\n", k, gradient, k, more, 1 + below(8));
    gradient = fmt::format("b{}", k);
  }
  return text + backward + fmt::format("return {} | {}\n", last, gradient);
}

// No choice has a lower peak than the bound, however little work it is given; and of most graphs it is the least.
TEST(PeakChoices, HaveNoLowerPeakThanTheBound) {
  std::size_t graphs = 0, attained = 0;
  const auto compare = [&](Case& c) {
    const auto state = propagate(c.problem, all_open(c.problem), kNoLimit);
    if (c.decision.roles.backward_is_empty || c.problem.storages.size() > 12 || !state) return;
    StepSimulation simulation(c.analysis, c.problem, c.decision.storages);
    const BestChoice all = try_all(c, simulation);
    if (all.cost_at.empty()) return;
    const Int128 least = all.cost_at.begin()->first, most = all.cost_at.rbegin()->first;
    const Unavoidable unavoidable = find_unavoidable(c.problem, c.analysis, simulation);
    const PeakProblem whole{c.problem, c.analysis, unavoidable, state->fixings};
    for (const std::int64_t steps : {0, 300, 1'000, 3'000, 10'000, 10'000'000}) {
      EXPECT_TRUE(find_least_peak(whole, simulation, most + 1, steps).bytes <= least) << "with " << steps << " steps";
      EXPECT_TRUE(find_least_peak(whole, simulation, least, steps).bytes <= least) << "with " << steps << " steps";
    }
    ++graphs;
    if (find_least_peak(whole, simulation, most + 1, 10'000'000).bytes == least) ++attained;
  };
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Case in_layers(joint_graph(layers(seed, 4 + seed % 7)));
    compare(in_layers);
    CaseWithForms layers_in_forms(joint_graph(layers(seed, 3 + seed % 3)), seed);
    compare(layers_in_forms);
    Case small(joint_graph(small_training_step(seed, 3 + static_cast<int>(seed % 9))));
    compare(small);
    CaseWithForms small_in_forms(joint_graph(small_training_step(seed, 2 + static_cast<int>(seed % 5))), seed);
    compare(small_in_forms);
    JointGraph joint = joint_graph(random_joint_graph(seed, {}));
    for (Node& node : joint.graph.nodes) node.meta.recompute.reset();
    Case any(std::move(joint));
    compare(any);
  }
  EXPECT_GT(graphs, 150u);
  EXPECT_GE(attained * 100, graphs * 70) << attained << " of " << graphs;
}

// No choice within the limit costs less than a bound made from any position of the backward.
TEST(PeakChoices, CostNoLessThanTheBoundFromAnyPosition) {
  std::size_t bounds = 0, positive = 0;
  const auto compare = [&](Case& c, std::uint32_t seed) {
    if (c.decision.roles.backward_is_empty || c.problem.storages.size() > 12) return;
    StepSimulation simulation(c.analysis, c.problem, c.decision.storages);
    const BestChoice all = try_all(c, simulation);
    if (all.cost_at.empty()) return;
    for (BackwardPosition position = 0; position < simulation.backward_nodes().size() + 2; ++position) {
      const RestOfBackward rest(c.problem, c.analysis, simulation, position);
      const auto state = propagate(rest.problem, all_open(rest.problem), kNoLimit);
      ASSERT_TRUE(state) << "seed " << seed;
      Int128 best = all.cost_at.begin()->second;
      for (const auto& [peak, cost] : all.cost_at) {
        best = std::min(best, cost);
        WorkBudget work({}, c.problem.items.size());
        PeakTrials trials(c.problem, simulation, work);
        trials.set_limit(peak);
        const std::vector<Int128> nothing(rest.unavoidable.positions(), 0);
        const Int128 bound = price_positions(trials, {rest.problem, rest.unavoidable, *state, {}}, nothing, 20).bound;
        EXPECT_TRUE(bound <= best) << "seed " << seed << ", position " << position;
        ++bounds;
        if (bound > 0) ++positive;
      }
    }
  };
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    Case c(joint_graph(seed % 2 == 0 ? layers(seed, 4 + seed % 5) : small_training_step(seed, 3 + static_cast<int>(seed % 9))));
    compare(c, seed);
    const int calls = 2 + static_cast<int>(seed % 4);
    const std::string few = seed % 2 == 0 ? layers(seed, 3 + seed % 3) : small_training_step(seed, calls);
    CaseWithForms in_forms(joint_graph(few), seed);
    compare(in_forms, seed);
  }
  EXPECT_GT(bounds, 1000u);
  EXPECT_GT(positive, bounds / 20);
}

TEST(PeakChoices, TrialsAreSpentAfterAsManyAsAreAllowed) {
  Case c(joint_graph(small_training_step(7, 60)));
  StepSimulation simulation(c.analysis, c.problem, c.decision.storages);
  WorkBudget work({}, c.problem.items.size());
  PeakTrials trials(c.problem, simulation, work);
  const KeptStorages all(c.problem.storages.size(), true);
  {
    const FewTries few(trials, 5);
    const FewTries not_more(trials, 1'000);
    make_lower(trials, all);
    make_room(trials, all);
    EXPECT_EQ(trials.tried(), 5u);
    EXPECT_TRUE(trials.is_spent());
  }
  EXPECT_FALSE(trials.is_spent());
  make_lower(trials, all);
  EXPECT_GT(trials.tried(), 5u);
}

}  // namespace
}  // namespace fxcut
