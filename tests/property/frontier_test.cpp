// The frontier solver against every choice of saved values: what each costs is counted on the forward and the backward
// that really are extracted for it. In most graphs keeping a storage costs something, too.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "diagnostic/diagnostic.h"
#include "extract/forward_backward.h"
#include "frontier/budget_search.h"
#include "frontier/hull.h"
#include "frontier/never_recomputed.h"
#include "frontier/pytorchs_choices.h"
#include "frontier/recompute_problem.h"
#include "frontier/save_within_limit.h"
#include "graph_text.h"
#include "normalise/dead_code.h"
#include "seeds.h"
#include "small_training_step.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kSteps = seeds(200);

struct Step {
  explicit Step(std::uint32_t seed)
      : joint(eliminate_dead_code(joint_graph(small_training_step(seed, 2 + static_cast<int>(seed % 8))))),
        users(joint.graph),
        roles(classify(joint, users)),
        distance(distance_from_backward(joint.graph, users, roles)),
        storages(storage_bytes(joint.graph)),
        never(never_recomputed(analysis)) {
    std::mt19937 random(seed);
    const std::uint32_t dearest = seed % 2 == 0 ? 3 : 40;
    for (const Node& node : joint.graph.nodes) costs.push_back(node.is_call() ? 1 + random() % dearest : 0);
    find_keep_costs(random, seed % 3 == 0 ? 1 : 10);
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  RecomputeProblem problem() const {
    RecomputeProblem problem = recompute_problem(analysis, storages, costs);
    for (const Item& item : problem.items) {
      if (item.storage == kNoStorage || item.storage == kFreeStorage) continue;
      const auto storage = joint.graph[item.node].storage();  // none of a tuple in one storage: its items have it
      if (storage) problem.storages[item.storage].keep_cost = keep_costs.at(*storage);
    }
    return problem;
  }

  // The costs of keeping, by storage number; in a third of the graphs all are free, and always resident ones always are.
  void find_keep_costs(std::mt19937& random, std::uint32_t dearest) {
    for (const Node& node : joint.graph.nodes) {
      if (const auto storage = node.storage()) keep_costs.emplace(*storage, random() % dearest);
    }
    for (const Node& node : joint.graph.nodes) {
      if (node.storage() && node.meta.static_lifetime) keep_costs[*node.storage()] = 0;
    }
  }

  JointGraph joint;
  Users users;
  Roles roles;
  std::vector<std::int64_t> distance;
  StorageBytes storages;
  Settings settings;
  Analysis analysis{joint, users, roles, distance, settings};
  std::vector<Ban> never;
  std::vector<Int128> costs;  // by node
  std::map<std::int64_t, Int128> keep_costs;
};

FrontierFacts facts_of(const SavedValues& choice) { return choice.decided_by<ByFrontier>()->facts; }

// Bytes kept -> the least run cost with that.
using Points = std::map<std::int64_t, Int128>;

// The cost of the partition with these saved values; nullopt if it is impossible, or the backward runs what it must not.
std::optional<std::pair<std::int64_t, Int128>> cost_of(const Step& step, const std::vector<NodeId>& saved) {
  try {
    const ForwardBackward sides = plan_forward_backward(step.joint, step.users, step.roles, saved);
    Int128 cost = 0;
    for (std::size_t i = 0; i < step.joint.graph.size(); ++i) {
      const NodeId id = node_id(i);
      if (!sides.backward.computes(id)) continue;
      if (step.never[i] != Ban::None) return std::nullopt;
      if (sides.forward.computes(id)) cost += step.costs[i];
    }
    std::set<std::int64_t> kept;
    for (const NodeId id : sides.crossing.values) {
      if (step.joint.graph[id].must_recompute()) return std::nullopt;
      kept.insert(*step.joint.graph[id].storage());
    }
    for (const std::int64_t storage : kept) cost += step.keep_costs.at(storage);
    return std::pair(bytes_not_static(step.joint.graph, step.storages, sides.crossing.values), cost);
  } catch (const Failure&) {
    return std::nullopt;
  }
}

Points all_points(const Step& step) {
  std::vector<NodeId> savable;
  for (std::size_t i = 0; i < step.joint.graph.size(); ++i) {
    const Node& node = step.joint.graph.nodes[i];
    if (!node.has_tensor() || step.roles.tangents_closure[i]) continue;
    savable.push_back(node_id(i));
  }
  Points points;
  for (std::uint32_t chosen = 0; chosen < std::uint32_t{1} << savable.size(); ++chosen) {
    std::vector<NodeId> saved;
    for (std::size_t i = 0; i < savable.size(); ++i) {
      if ((chosen >> i & 1) != 0) saved.push_back(savable[i]);
    }
    if (const auto cost = cost_of(step, saved)) {
      const auto [point, is_new] = points.emplace(*cost);
      if (!is_new) point->second = std::min(point->second, cost->second);
    }
  }
  return points;
}

// The corners of the lower convex hull, from the fewest bytes to the least run cost.
Points corners_of(const Points& points) {
  std::vector<std::pair<std::int64_t, Int128>> corners;
  for (const auto& point : points) {
    if (!corners.empty() && point.second >= corners.back().second) continue;
    while (corners.size() >= 2) {
      const auto &a = corners[corners.size() - 2], &b = corners.back();
      if ((b.second - a.second) * (point.first - a.first) < (point.second - a.second) * (b.first - a.first)) break;
      corners.pop_back();
    }
    corners.push_back(point);
  }
  return {corners.begin(), corners.end()};
}

std::string show(const Points& points) {
  std::string text;
  for (const auto& [bytes, cost] : points) {
    text += std::to_string(bytes) + ":" + std::to_string(static_cast<long>(cost)) + " ";
  }
  return text;
}

TEST(FrontierByBruteForce, EveryCornerOfTheHullIsThereAndIsOptimal) {
  std::uint32_t solved = 0, corners = 0;
  for (std::uint32_t seed = 1; seed <= kSteps; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Step step(seed);
    const Points tagged = corners_of(all_points(step));
    const Hull hull = trace_hull(step.problem());
    Points found;
    for (const HullCorner& corner : hull.corners) {
      found.emplace(corner.choice.bytes, corner.choice.run_cost);
      EXPECT_TRUE(corner.is_proven);
    }
    EXPECT_EQ(show(found), show(tagged));
    solved += tagged.empty() ? 0u : 1u;
    corners += static_cast<std::uint32_t>(tagged.size());
    if (HasFailure()) return;
  }
  EXPECT_GT(solved, kSteps / 2) << "most graphs cannot be partitioned";
  EXPECT_GT(corners, kSteps) << "the hulls hardly have corners";
}

// Whether the choice is a corner, or on the line between its two neighbouring corners.
bool is_on_hull(const Points& corners, const Choice& choice) {
  const auto right = corners.lower_bound(choice.bytes);
  if (right == corners.end()) return false;
  if (right->first == choice.bytes) return right->second == choice.run_cost;
  if (right == corners.begin()) return false;
  const auto left = std::prev(right);
  return (choice.run_cost - left->second) * (right->first - left->first) ==
         (right->second - left->second) * (choice.bytes - left->first);
}

TEST(FrontierByBruteForce, SpreadCornersAreOnTheHullAndWithTimeAllItsCornersBelowTheBytes) {
  for (std::uint32_t seed = 1; seed <= kSteps; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Step step(seed);
    const Points corners = corners_of(all_points(step));
    if (corners.empty()) continue;
    const auto middle = std::next(corners.begin(), static_cast<std::ptrdiff_t>(corners.size() / 2));
    std::set<std::int64_t> below;
    for (const HullCorner& corner : spread_corners(step.problem(), middle->first, 1000)) {
      EXPECT_TRUE(is_on_hull(corners, corner.choice)) << corner.choice.bytes;
      below.insert(corner.choice.bytes);
    }
    for (auto corner = corners.begin(); corner != middle; ++corner) EXPECT_TRUE(below.contains(corner->first)) << corner->first;
    const auto few = spread_corners(step.problem(), middle->first, 3);
    EXPECT_LE(std::ranges::count_if(few, [&](const HullCorner& one) { return corners.contains(one.choice.bytes); }), 3);
    if (HasFailure()) return;
  }
}

TEST(FrontierByBruteForce, TheAnswerToEveryLimitIsTheBestAndProven) {
  std::uint32_t off_the_hull = 0;
  for (std::uint32_t seed = 1; seed <= kSteps; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Step step(seed);
    const Points points = all_points(step), corners = corners_of(points);
    const RecomputeProblem problem = step.problem();
    std::optional<Int128> least;
    for (const auto& [bytes, cost] : points) {
      least = least ? std::min(*least, cost) : cost;
      const BudgetAnswer answer = search_within(problem, bytes, {});
      ASSERT_TRUE(answer.choice.has_value());
      EXPECT_EQ(static_cast<long>(answer.choice->run_cost), static_cast<long>(*least)) << "within " << bytes;
      EXPECT_LE(answer.choice->bytes, bytes);
      EXPECT_TRUE(answer.is_proven) << "within " << bytes;
      off_the_hull += corners.contains(bytes) ? 0u : 1u;
    }
    if (points.empty()) continue;
    EXPECT_FALSE(search_within(problem, points.begin()->first - 1, {}).choice.has_value());
    if (HasFailure()) return;
  }
  EXPECT_GT(off_the_hull, kSteps) << "the limits hardly lie between corners";
}

TEST(FrontierByBruteForce, TheLeastIsTheLeastHoweverEarlyTheSearchIsCutShort) {
  const SearchLimits at_once{.halt = [] { return Halt::TimeIsUp; }};
  std::uint32_t solved = 0;
  for (std::uint32_t seed = 1; seed <= kSteps; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Step step(seed);
    const Points points = all_points(step);
    if (points.empty()) continue;
    const FrontierFacts facts = facts_of(save_within_limit(step.analysis, step.storages, least_limit(), at_once));
    EXPECT_EQ(facts.saved_bytes, points.begin()->first);
    try {
      save_within_limit(step.analysis, step.storages, {false, points.begin()->first - 1}, at_once);
      ADD_FAILURE() << "there is nothing within less";
    } catch (const Failure& failure) {
      EXPECT_NE(std::string(failure.what()).find("cannot save as little as"), std::string::npos) << failure.what();
    }
    ++solved;
    if (HasFailure()) return;
  }
  EXPECT_GT(solved, kSteps / 2);
}

// Calls `check` with each step and its problem until it fails.
void for_each_problem(const auto& check) {
  for (std::uint32_t seed = 1; seed <= kSteps && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Step step(seed);
    check(step, costed_problem(step.analysis, step.storages, estimator_of_frontier(step.settings)));
  }
}

TEST(FrontierByBruteForce, NoAnswerIsWorseThanPyTorchsCuts) {
  const SearchLimits at_once{.halt = [] { return Halt::TimeIsUp; }};
  std::uint32_t compared = 0;
  for_each_problem([&](const Step& step, const RecomputeProblem& problem) {
    Evaluation evaluation(problem);
    for (const KeptStorages& kept : pytorchs_choices(step.analysis, problem)) {
      const Outcome theirs = evaluation.run(kept);
      if (!theirs.feasible) continue;
      const FrontierFacts ours = facts_of(save_within_limit(step.analysis, step.storages, limit_of_bytes(theirs.bytes), at_once));
      EXPECT_LE(ours.saved_bytes, theirs.bytes);
      EXPECT_LE(ours.run_cost, theirs.run_cost);
      EXPECT_LE(ours.bound, ours.run_cost);
      EXPECT_TRUE(ours.is_proven || ours.ended_by == EndedBy::Time);
      ++compared;
    }
  });
  EXPECT_GT(compared, kSteps);
}

TEST(FrontierByBruteForce, PyTorchsChoiceWithinALimitIsThatOfTheLargestBudgetWhichKeepsToIt) {
  std::uint32_t compared = 0;
  for_each_problem([&](const Step& step, const RecomputeProblem& problem) {
    Evaluation evaluation(problem);
    EXPECT_FALSE(pytorchs_choice_within(step.analysis, problem, -1));
    const auto all = pytorchs_choice_within(step.analysis, problem, std::numeric_limits<std::int64_t>::max());
    if (!all) return;  // PyTorch recomputes what must not be
    const std::int64_t most = evaluation.run(*all).bytes;
    for (const std::int64_t limit : {most, most - 1, most / 2}) {
      const auto kept = pytorchs_choice_within(step.analysis, problem, limit);
      if (!kept) continue;
      EXPECT_LE(evaluation.run(*kept).bytes, limit);
      EXPECT_TRUE(limit < most || evaluation.run(*kept).bytes == most);
      ++compared;
    }
  });
  EXPECT_GT(compared, kSteps / 2);
}

}  // namespace
}  // namespace fxcut
