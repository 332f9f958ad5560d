#include "pipeline/ways_out.h"

#include <algorithm>
#include <optional>
#include <string>
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
  std::optional<double> step_ms = std::nullopt;  // once it is predicted
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

// The solver's decision tags those that it recomputes (tag_recomputed_random()). The tag does nothing where one is not.
void tag_random_calls(Prepared& prepared) {
  for (Node& node : prepared.joint.graph.nodes) {
    if (!draws_numbers(node)) continue;
    if (!node.must_recompute()) node.meta.recompute = CheckpointPolicy::PreferRecompute;
    prepared.needs.has_random_regions = true;
  }
}

class WaysOut {
 public:
  WaysOut(Prepared& prepared, const Analysis& analysis, const StorageBytes& storages, const Report& decided)
      : prepared_(prepared), analysis_(analysis), storages_(storages), decided_(decided),
        problem_(costed_problem(analysis, storages, estimator_of_frontier(analysis.settings))) {
    tag_random_calls(prepared);
  }

  std::vector<WayOut> run() const {
    if (analysis_.joint.step) return {};
    // Of decisions that cost as much by another estimator, the command may find one that takes another time.
    if (estimator_of_frontier(analysis_.settings).name != estimator_of_frontier({}).name) return {};
    if (!decided_.run_time) return {};
    std::vector<Way> ways = spread_over_peaks(with_falling_peaks(simulated(), decided_.memory.peak_bytes), kMostWays);
    ways = predicted(std::move(ways));
    if (decided_.memory.compiled) ways = with_falling_peaks(std::move(ways), decided_.memory.compiled->peak_bytes);
    std::vector<WayOut> found;
    for (const Way& way : ways) {
      found.push_back({way.peak_bytes, way.choice.bytes, *way.step_ms - decided_.run_time->step_ms});
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
      ways.push_back({std::move(corner.choice), simulation.run(evaluation).peak_bytes});
    }
    std::reverse(ways.begin(), ways.end());
    return ways;
  }

  // With the times of their steps, and the peaks of their compiled code where that is predicted; each second one in a thread of its
  // own. Those whose graphs cannot be made are left out.
  std::vector<Way> predicted(std::vector<Way> ways) const {
    const auto predict_from = [&](std::size_t first) {
      const PredictedStep step(analysis_, problem_, prepared_.needs);
      Evaluation evaluation(problem_);
      for (std::size_t i = first; i < ways.size(); i += 2) {
        evaluation.run(ways[i].choice.kept);
        const std::optional<PredictedCost> cost = step.cost(evaluation);
        if (!cost) continue;
        ways[i].peak_bytes = cost->compiled_peak_bytes.value_or(ways[i].peak_bytes);
        ways[i].step_ms = cost->step_ms;
      }
      return true;
    };
    at_once(analysis_.graph().size(), [&] { return predict_from(0); }, [&] { return predict_from(1); });
    std::erase_if(ways, [](const Way& way) { return !way.step_ms; });
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
    Prepared prepared = prepare(std::move(joint), context);
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
