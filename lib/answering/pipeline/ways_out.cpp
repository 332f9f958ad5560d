#include "pipeline/ways_out.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "classify/purity.h"
#include "cost/estimators.h"
#include "cost/size.h"
#include "diagnostic/diagnostic.h"
#include "extract/roles.h"
#include "frontier/evaluate.h"
#include "frontier/hull.h"
#include "frontier/recompute_problem.h"
#include "normalise/inline_checkpoints.h"
#include "peak/given_choices.h"
#include "peak/predicted_step.h"
#include "peak/step_simulation.h"
#include "pipeline/decide_by_partitioner.h"
#include "policy/match_policies.h"
#include "policy/partitioner_tags.h"
#include "step/settings_for_step.h"
#include "system/threads.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::size_t kMostCorners = 14, kMostWays = 4;
constexpr double kMostOfPeak = 0.97;  // of the peak before it: less is worth a row

struct Way {
  Choice choice;
  Wide peak_bytes = 0;
};

// Of ways in the order of their peaks, the highest first: at most so many, the last among them, at even distances.
std::vector<Way> spread_over_peaks(std::vector<Way> ways, std::size_t most) {
  if (ways.size() <= most) return ways;
  const Wide first = ways.front().peak_bytes, last = ways.back().peak_bytes;
  std::vector<Way> chosen;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const auto place = static_cast<Wide>(chosen.size());
    const Wide at = first - (first - last) * place / static_cast<Wide>(most - 1);
    const bool is_last = i + 1 == ways.size();
    if (is_last || (ways[i].peak_bytes <= at && chosen.size() + 1 < most)) chosen.push_back(std::move(ways[i]));
  }
  return chosen;
}

// Each with a peak below that of the one before it, the first below `peak_bytes`.
std::vector<Way> with_falling_peaks(std::vector<Way> ways, Wide peak_bytes) {
  std::erase_if(ways, [&](const Way& way) {
    if (static_cast<double>(way.peak_bytes) > kMostOfPeak * static_cast<double>(peak_bytes)) return true;
    peak_bytes = way.peak_bytes;
    return false;
  });
  return ways;
}

class WaysOut {
 public:
  WaysOut(const Prepared& prepared, const Analysis& analysis, const StorageBytes& storages, const Report& decided)
      : prepared_(prepared), analysis_(analysis), storages_(storages), decided_(decided),
        problem_(costed_problem(analysis, storages, estimator_of_frontier(analysis.settings))) {}

  std::vector<WayOut> run() const {
    if (analysis_.joint.step) return {};
    // Of decisions that cost as much by another estimator, the command may find one that takes another time.
    if (estimator_of_frontier(analysis_.settings).name != estimator_of_frontier({}).name) return {};
    const std::optional<Wide> cost = cost_of_decision();
    if (!cost) return {};
    std::vector<Way> ways = spread_over_peaks(with_falling_peaks(simulated(), decided_.memory.peak_bytes), kMostWays);
    if (decided_.memory.compiled) ways = with_falling_peaks(predicted(std::move(ways)), decided_.memory.compiled->peak_bytes);
    std::vector<WayOut> found;
    for (const Way& way : ways) {
      const double more_ms = static_cast<double>(way.choice.run_cost - *cost) / kPicosecondsPerMs;
      found.push_back({way.peak_bytes, way.choice.bytes, more_ms});
    }
    return found;
  }

 private:
  // Corners below the bytes of the decision, most bytes first.
  std::vector<Way> simulated() const {
    StepSimulation simulation(analysis_, problem_, storages_);
    Evaluation evaluation(problem_);
    std::vector<Way> ways;
    const std::int64_t held = decided_.totals.saved_bytes_not_static;
    for (HullCorner& corner : spread_corners(problem_, held, kMostCorners)) {
      if (corner.choice.bytes >= held || !corner.is_proven) continue;
      evaluation.run(corner.choice.kept);
      if (may_draw_again(evaluation) && !has_place_for_states(evaluation)) continue;
      ways.push_back({std::move(corner.choice), simulation.run(evaluation).peak_bytes});
    }
    std::reverse(ways.begin(), ways.end());
    return ways;
  }

  // As the problem counts it, without what is recomputed in any case; nothing if the decision is none of the problem's.
  std::optional<Wide> cost_of_decision() const {
    std::unordered_set<std::string> saved;
    for (const SavedValue& value : decided_.saved_values) saved.insert(value.name);
    const Outcome outcome = Evaluation(problem_).run(kept_by(analysis_, problem_, saved));
    return outcome.feasible ? std::optional(outcome.run_cost) : std::nullopt;
  }

  bool may_draw_again(const Evaluation& evaluation) const {
    if (prepared_.needs.has_random_regions) return true;
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      if (evaluation.is_recomputed(i) && is_random(analysis_.node(problem_.items[i].node))) return true;
    }
    return false;
  }

  // Of generators, which the backward takes before its first input that is named so (finish/rng_state.h).
  bool has_place_for_states(const Evaluation& evaluation) const {
    const auto graphs = PredictedStep(analysis_, problem_, prepared_.needs).graphs(evaluation);
    return graphs && std::ranges::any_of(graphs->backward.nodes, [](const Node& node) {
      return node.is_placeholder() && node.name.find("tangent") != std::string::npos;
    });
  }

  // With the peaks of their compiled code, each second one in a thread of its own.
  std::vector<Way> predicted(std::vector<Way> ways) const {
    const auto predict_from = [&](std::size_t first) {
      const PredictedStep step(analysis_, problem_, prepared_.needs);
      Evaluation evaluation(problem_);
      for (std::size_t i = first; i < ways.size(); i += 2) {
        evaluation.run(ways[i].choice.kept);
        ways[i].peak_bytes = step.peak_bytes(evaluation).value_or(decided_.memory.compiled->peak_bytes);
      }
      return true;
    };
    at_once(analysis_.graph().size(), [&] { return predict_from(0); }, [&] { return predict_from(1); });
    return ways;
  }

  const Prepared& prepared_;
  const Analysis& analysis_;
  const StorageBytes& storages_;
  const Report& decided_;
  const RecomputeProblem problem_;
};

}  // namespace

std::optional<std::vector<WayOut>> find_ways_out(JointGraph joint, Settings settings, const PolicyStack& policies,
                                                 const Report& decided) {
  const std::vector<WayOut> none;
  settings.saved_bytes_limit.reset();
  settings.peak_bytes_limit.reset();
  settings = settings_for(joint, std::move(settings));
  joint = inline_checkpoints(drop_unknown_tags(std::move(joint)));
  const StorageBytes storages = storage_bytes(joint.graph);
  const MatchedPolicies matched = match_policies(policies, joint, settings);
  StageContext context{{}, settings, matched, storages, !policies.empty()};
  try {
    const Prepared prepared = prepare(std::move(joint), context);
    if (prepared.roles.backward_is_empty) return none;
    const auto distance = distance_from_backward(prepared.joint.graph, prepared.users, prepared.roles);
    const Analysis analysis{prepared.joint, prepared.users, prepared.roles, distance, settings};
    return WaysOut(prepared, analysis, storages, decided).run();
  } catch (const Failure& failure) {
    if (failure.status() != ExitStatus::NoPartition) throw;
    return std::nullopt;
  }
}

}  // namespace fxcut
