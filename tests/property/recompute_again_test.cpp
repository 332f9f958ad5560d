// Recomputing again within a limit of the peak: against every set of drops on small graphs, by an independent count, by verify,
// and never worse than without.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "broken_partition.h"
#include "counted_partition.h"
#include "diagnostic/diagnostic.h"
#include "frontier/work_budget.h"
#include "graph_text.h"
#include "partition/partition.h"
#include "partition/peak_search.h"
#include "peak/backward_with_drops.h"
#include "peak/search_again.h"
#include "random_joint_graph.h"
#include "random_partition.h"
#include "report/show_report.h"
#include "seeds.h"
#include "small_training_step.h"
#include "verify/verify.h"

namespace fxcut {
namespace {

const MemoryLimit kLowestPeak = least_limit();

Settings within(const MemoryLimit& limit, bool again) {
  Settings settings;
  settings.peak_bytes_limit = limit;
  settings.recompute_again = again;
  return settings;
}

Int128 run_cost(const Partition& partition) {
  return partition.report.frontier ? partition.report.frontier->run_cost : Int128{0};
}

void expect_true_and_within(const JointGraph& joint, const Partition& found, Int128 limit) {
  const CountedMemory counted = count_partition(joint, found);
  const Int128 peak = *std::max_element(counted.bytes.begin(), counted.bytes.end());
  EXPECT_TRUE(peak == found.memory.peak_bytes() && peak <= limit);
  const nlohmann::json report = nlohmann::json::parse(report_json(found.report));
  const Verification verified =
      verify(joint, side_of(found.graphs.forward, found, joint), side_of(found.graphs.backward, found, joint), &report);
  for (const Mismatch& wrong : verified.mismatches) {
    ADD_FAILURE() << wrong.where << ": " << wrong.expected << ", not " << wrong.found;
  }
  const Partition again = replay(joint, found.report);
  EXPECT_EQ(text_of(again.graphs.backward), text_of(found.graphs.backward));
  EXPECT_EQ(report_json(again.report), report_json(found.report));
}

// Layers of random sizes, the backward of each of which needs the layer's input.
std::string random_chain(std::uint32_t seed, int layers) {
  std::mt19937 random(seed);
  std::string text = "primals_1 = placeholder : f32[8]\n", gradients, input = "primals_1";
  for (int i = 1; i <= layers; ++i) {
    text += fmt::format("f{} = my.layer.default({}) : f32[{}]\n", i, input, 20 + random() % 60);
    gradients.insert(0, fmt::format("g{0} = my.gradient.default({1}, {2}) : f32[8]\n", i,
                                    i == layers ? "tangents_1" : fmt::format("g{}", i + 1), input));
    input = fmt::format("f{}", i);
  }
  return text + "tangents_1 = placeholder : f32[8]\n" + gradients + fmt::format("return {} | g1\n", input);
}

TEST(RecomputeAgain, IsTrueAndNeverWorseThanWithout) {
  std::size_t lower = 0, graphs = 0;
  const auto check = [&](const JointGraph& joint) {
    const auto alone = partition_if_any(joint, within(kLowestPeak, false));
    const auto least = partition_if_any(joint, within(kLowestPeak, true));
    ASSERT_EQ(alone.has_value(), least.has_value());
    if (!alone || !alone->report.frontier) return;
    ++graphs;
    const Int128 lowest = least->memory.peak_bytes();
    EXPECT_TRUE(lowest <= alone->memory.peak_bytes());
    expect_true_and_within(joint, *least, lowest);
    const auto limit = limit_of_bytes(static_cast<std::int64_t>(lowest));
    const auto as_limit = partition_if_any(joint, within(limit, true));
    ASSERT_TRUE(as_limit);
    EXPECT_TRUE(run_cost(*as_limit) == run_cost(*least));
    if (lowest < alone->memory.peak_bytes()) ++lower;
    const auto limit_of_alone = limit_of_bytes(static_cast<std::int64_t>(alone->memory.peak_bytes()));
    const auto same = partition_if_any(joint, within(limit_of_alone, true));
    ASSERT_TRUE(same);
    EXPECT_TRUE(run_cost(*same) <= run_cost(*alone));
    EXPECT_TRUE(same->report.frontier->bound <= run_cost(*same));
    expect_true_and_within(joint, *same, alone->memory.peak_bytes());
  };
  for (std::uint32_t seed = 0; seed < seeds(40); ++seed) {
    SCOPED_TRACE(fmt::format("small step {}", seed));
    check(joint_graph(small_training_step(seed, 4 + static_cast<int>(seed % 9))));
  }
  for (std::uint32_t seed = 1; seed <= seeds(25); ++seed) {
    SCOPED_TRACE(fmt::format("random graph {}", seed));
    check(joint_graph(random_joint_graph(seed, {.primals = 3, .forward_calls = 24, .backward_calls = 24})));
  }
  for (std::uint32_t seed = 1; seed <= seeds(8); ++seed) {
    SCOPED_TRACE(fmt::format("random chain {}", seed));
    check(joint_graph(random_chain(seed, 12 + static_cast<int>(seed))));
  }
  EXPECT_GT(graphs, seeds(30));
  EXPECT_GE(lower, seeds(6)) << "hardly anything is recomputed again";
}

// A clock that stops the search after it was read `looks` times.
HaltRequested stopping_after(int looks) {
  return [left = std::make_shared<int>(looks)] { return (*left)-- > 0 ? Halt::No : Halt::TimeIsUp; };
}

TEST(RecomputeAgain, IsNoWorseThanWithoutHoweverSoonTheTimeIsUp) {
  for (std::uint32_t seed = 0; seed < seeds(20); ++seed) {
    const JointGraph joint = joint_graph(small_training_step(seed, 4 + static_cast<int>(seed % 9)));
    for (const int looks : {0, 1, 3, 10, 30, 100, 1000, 10'000}) {
      SCOPED_TRACE(fmt::format("small step {}, {} looks", seed, looks));
      const auto alone = partition_within_peak(joint, within(kLowestPeak, false), {}, stopping_after(looks));
      const auto least = partition_within_peak(joint, within(kLowestPeak, true), {}, stopping_after(looks));
      EXPECT_TRUE(least.memory.peak_bytes() <= alone.memory.peak_bytes());
      const auto limit = limit_of_bytes(static_cast<std::int64_t>(alone.memory.peak_bytes()));
      const auto same = partition_within_peak(joint, within(limit, true), {}, stopping_after(looks));
      EXPECT_TRUE(same.memory.peak_bytes() <= limit.bytes);
      EXPECT_TRUE(least.memory.peak_bytes() < alone.memory.peak_bytes() || run_cost(least) <= run_cost(alone));
    }
  }
}

// As explain uses it: near a decision, with a tag or without.
TEST(RecomputeAgain, NearADecisionIsTrueWithinTheLimitAndNoWorseThanIt) {
  std::size_t forced = 0, refused = 0;
  for (std::uint32_t seed = 1; seed <= seeds(8); ++seed) {
    SCOPED_TRACE(fmt::format("random chain {}", seed));
    const JointGraph joint = joint_graph(random_chain(seed, 12 + static_cast<int>(seed)));
    const auto least = partition_if_any(joint, within(kLowestPeak, true));
    ASSERT_TRUE(least);
    const auto limit = 5 * static_cast<std::int64_t>(least->memory.peak_bytes()) / 4;
    const Settings settings = within(limit_of_bytes(limit), true);
    const auto found = partition_if_any(joint, settings);
    ASSERT_TRUE(found);
    ForcedTag none;
    for (const SavedValue& saved : found->report.saved_values) none.saved.insert(saved.name);
    const Partition same = partition_within_peak(joint, settings, {}, kNeverHalt, kNoProgress, none);
    EXPECT_TRUE(run_cost(same) <= run_cost(*found));
    expect_true_and_within(joint, same, limit);
    for (const std::string& saved : none.saved) {
      if (!saved.starts_with("f")) continue;  // inputs are saved in any case
      ForcedTag recomputed{{saved}, CheckpointPolicy::MustRecompute, none.saved};
      try {
        const Partition other = partition_within_peak(joint, settings, {}, kNeverHalt, kNoProgress, recomputed);
        ++forced;
        EXPECT_TRUE(other.memory.peak_bytes() <= limit);
        const auto& values = other.report.saved_values;
        EXPECT_TRUE(std::ranges::find(values, saved, &SavedValue::name) == values.end());
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
        ++refused;
      }
    }
  }
  EXPECT_GT(forced, seeds(10));
  EXPECT_LT(refused, forced);
}

TEST(RecomputeAgain, VerifyFindsWrongRows) {
  const JointGraph joint = joint_graph(random_chain(3, 20));
  const auto found = partition_if_any(joint, within(kLowestPeak, true));
  ASSERT_TRUE(found && found->report.recomputed_again.size() > 1);
  const nlohmann::json right = nlohmann::json::parse(report_json(found->report));
  const auto mismatches = [&](const auto& change) {
    nlohmann::json wrong = right;
    change(wrong["recomputed_again"]);
    return verify(joint, side_of(found->graphs.forward, *found, joint), side_of(found->graphs.backward, *found, joint), &wrong)
        .mismatches.size();
  };
  EXPECT_EQ(mismatches([](nlohmann::json&) {}), 0u);
  EXPECT_EQ(mismatches([](nlohmann::json& rows) { rows[0]["before"] = "f1"; }), 1u);
  EXPECT_EQ(mismatches([](nlohmann::json& rows) { rows[0]["of"] = "g1"; }), 1u);
  EXPECT_EQ(mismatches([](nlohmann::json& rows) { rows[0]["flops"] = 77; }), 1u);
  EXPECT_EQ(mismatches([](nlohmann::json& rows) { rows[0]["bytes"] = 77; }), 1u);
  EXPECT_EQ(mismatches([](nlohmann::json& rows) { rows.push_back(rows.back()); }), 1u);
  EXPECT_GT(mismatches([](nlohmann::json& rows) { rows.erase(rows.size() - 1); }), 0u);
}

// A graph that is decided on.
struct Undecided {
  explicit Undecided(JointGraph joint)
      : decision(decide(std::move(joint), settings, {}, kNeverHalt)),
        distance(distance_from_backward(decision.joint.graph, decision.users, decision.roles)),
        problem(costed_problem(analysis, decision.storages, estimator_of_frontier(settings))) {}
  Undecided(const Undecided&) = delete;
  Undecided& operator=(const Undecided&) = delete;

  Settings settings;
  Decision decision;
  std::vector<std::int64_t> distance;
  Analysis analysis{decision.joint, decision.users, decision.roles, distance, settings};
  RecomputeProblem problem;
};

// Each recomputed value at each step between its uses.
std::vector<Drop> possible_drops(const StepSimulation& simulation, const Evaluation& evaluation,
                                 const StepSimulation::Result& result) {
  std::vector<Drop> all;
  const auto& memories = simulation.memories();
  for (std::uint32_t step = 0; step + result.forward_steps + 1 < simulation.steps().size(); ++step) {
    for (std::uint32_t m = 0; m < memories.size(); ++m) {
      const ItemIndex item = simulation.item_of(memories[m].node);
      const bool is_recomputed = item != kNoItem && memories[m].in_backward && evaluation.is_recomputed(item);
      const std::size_t at = step + result.forward_steps;
      if (is_recomputed && memories[m].first_step < at && at < memories[m].last_step) all.push_back({step, m});
    }
  }
  return all;
}

struct Cheapest {
  std::optional<Int128> run_cost;
  bool is_of_all = true;  // sets of drops; some had too many
};

Cheapest try_all(Undecided& c, StepSimulation& simulation, Int128 limit) {
  constexpr std::size_t kMaxDrops = 8;
  Cheapest cheapest;
  Evaluation evaluation(c.problem);
  const std::size_t storages = c.problem.storages.size();
  for (std::uint32_t bits = 0; bits < (std::uint32_t{1} << (storages - 1)); ++bits) {
    KeptStorages kept(storages, false);
    for (std::size_t s = 1; s < storages; ++s) kept[s] = (bits >> (s - 1) & 1) != 0;
    const Outcome outcome = evaluation.run(kept);
    if (!outcome.feasible || (cheapest.run_cost && outcome.run_cost >= *cheapest.run_cost)) continue;
    const StepSimulation::Result result = simulation.run(evaluation);
    BackwardWithDrops backward(c.analysis, c.problem, simulation, evaluation, result.forward_steps);
    const std::vector<Drop> possible = possible_drops(simulation, evaluation, result);
    if (possible.size() > kMaxDrops) cheapest.is_of_all = false;
    for (std::uint32_t set = 0; set < (std::uint32_t{1} << std::min(possible.size(), kMaxDrops)); ++set) {
      std::vector<Drop> drops;
      for (std::size_t d = 0; d < possible.size() && d < kMaxDrops; ++d) {
        if ((set >> d & 1) != 0) drops.push_back(possible[d]);
      }
      backward.run(drops);
      const Int128 cost = outcome.run_cost + backward.run_cost();
      if (backward.peak_bytes() <= limit && (!cheapest.run_cost || cost < *cheapest.run_cost)) cheapest.run_cost = cost;
    }
  }
  return cheapest;
}

TEST(RecomputeAgain, IsNearlyAlwaysTheCheapestOfAllDrops) {
  std::size_t compared = 0, as_cheap = 0;
  for (std::uint32_t seed = 0; seed < seeds(150); ++seed) {
    Undecided c(joint_graph(small_training_step(seed, 3 + static_cast<int>(seed % 8))));
    if (c.decision.roles.backward_is_empty || c.problem.storages.size() > 8) continue;
    StepSimulation simulation(c.analysis, c.problem, c.decision.storages);
    const auto search = [&](const MemoryLimit& limit) {
      return search_again_within_peak(c.analysis, c.problem, c.decision.storages, limit, {}, {});
    };
    const auto least = search(kLowestPeak);
    if (!least) continue;
    for (const std::int64_t more : {0, 8, 24, 48}) {
      const Int128 limit = least->lowest_bytes + more;
      const auto found = search(limit_of_bytes(static_cast<std::int64_t>(limit)));
      ASSERT_TRUE(found && found->peak.choice) << "seed " << seed;
      const Cheapest cheapest = try_all(c, simulation, limit);
      ASSERT_TRUE(cheapest.run_cost) << "seed " << seed;
      EXPECT_TRUE(found->peak.bound <= *cheapest.run_cost) << "seed " << seed;
      EXPECT_TRUE(!cheapest.is_of_all || found->peak.choice->run_cost >= *cheapest.run_cost) << "seed " << seed;
      ++compared;
      if (found->peak.choice->run_cost <= *cheapest.run_cost) ++as_cheap;
    }
  }
  EXPECT_GT(compared, seeds(100));
  EXPECT_GE(as_cheap * 100, compared * 95) << as_cheap << " of " << compared;
}

}  // namespace
}  // namespace fxcut
