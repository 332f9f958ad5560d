#include "partition/ways_out.h"

#include <algorithm>
#include <utility>

#include "cost/estimators.h"
#include "diagnostic/attempt.h"
#include "frontier/hull.h"
#include "frontier/pytorchs_choices.h"
#include "frontier/recompute_problem.h"
#include "partition/frontier_steps.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"
#include "system/threads.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxCorners = 14, kMaxWays = 4;
constexpr double kMaxPeakRatio = 0.97;  // to the row before: smaller gains are not worth a row

}  // namespace

class WaysOut::Corners {
 public:
  explicit Corners(std::unique_ptr<FrontierSteps> steps)
      : steps_(std::move(steps)),
        problem_(costed_problem(steps_->analysis(), steps_->storages(), estimator_of_frontier(steps_->analysis().settings))) {
    for (HullCorner& corner : spread_corners(problem_, most_bytes(), kMaxCorners)) {
      if (corner.is_proven) simulated_.push_back({std::move(corner.choice)});
    }
    std::ranges::reverse(simulated_);
    const std::vector<Int128> peaks = steps_->simulated_peaks(problem_, kept_by(simulated_));
    for (std::size_t i = 0; i < simulated_.size(); ++i) simulated_[i].peak_bytes = peaks[i];
  }

  std::vector<WayOut> below(const Report& decided) const {
    std::vector<Way> ways = simulated_;
    std::erase_if(ways, [&](const Way& way) { return way.choice.bytes >= decided.totals.saved_bytes_not_static; });
    ways = predicted(spread_over_peaks(with_falling_peaks(std::move(ways), decided.memory.peak_bytes), kMaxWays));
    if (decided.memory.compiled) ways = with_falling_peaks(std::move(ways), decided.memory.compiled->peak_bytes);
    std::vector<WayOut> found;
    for (const Way& way : ways) found.push_back({way.peak_bytes, way.choice.bytes, *way.step_ms - decided.run_time->step_ms});
    return found;
  }

 private:
  struct Way {
    Choice choice;
    Int128 peak_bytes = 0;
    std::optional<double> step_ms = std::nullopt;  // once it is predicted
  };

  // Each with a peak below that of the one before it, the first below `peak_bytes`.
  static std::vector<Way> with_falling_peaks(std::vector<Way> ways, Int128 peak_bytes) {
    std::erase_if(ways, [&](const Way& way) {
      if (static_cast<double>(way.peak_bytes) > kMaxPeakRatio * static_cast<double>(peak_bytes)) return true;
      peak_bytes = way.peak_bytes;
      return false;
    });
    return ways;
  }

  // The most that PyTorch's cuts hold: about as much as the decision will, which is not made yet.
  std::int64_t most_bytes() const {
    std::int64_t most = 0;
    Evaluation evaluation(problem_);
    for (const KeptStorages& kept : pytorchs_choices(steps_->analysis(), problem_)) {
      most = std::max(most, evaluation.run(kept).bytes);
    }
    return most;
  }

  // With the times of their steps, and the peaks of their compiled code if that is predicted. Those whose graphs cannot be made
  // are left out.
  std::vector<Way> predicted(std::vector<Way> ways) const {
    const auto costs = steps_->costs(problem_, kept_by(ways));
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (!costs[i]) continue;
      ways[i].peak_bytes = costs[i]->compiled_peak_bytes.value_or(ways[i].peak_bytes);
      ways[i].step_ms = costs[i]->step_ms;
    }
    std::erase_if(ways, [](const Way& way) { return !way.step_ms; });
    return ways;
  }

  std::unique_ptr<FrontierSteps> steps_;
  const RecomputeProblem problem_;
  std::vector<Way> simulated_;  // most bytes first
};

WaysOut::~WaysOut() = default;

WaysOut::WaysOut(JointGraph joint, Settings settings, const PolicyStack& policies) {
  // By another estimator, the command may find a decision of the same cost that takes a different time.
  const bool is_by_time = estimator_of_frontier(settings).name == estimator_of_frontier({}).name;
  const bool is_step = joint.step != nullptr;
  auto steps = std::make_unique<FrontierSteps>(std::move(joint), std::move(settings), policies);
  if (steps->backward_is_empty()) return;
  auto corners = std::make_unique<Corners>(std::move(steps));  // throws if the estimator has no price
  if (!is_step && is_by_time) corners_ = std::move(corners);
}

std::vector<WayOut> WaysOut::below(const Report& decided) const {
  return corners_ && decided.run_time ? corners_->below(decided) : std::vector<WayOut>();
}

WaysOutAhead find_ways_out_ahead(std::shared_ptr<const JointGraph> joint, const Settings& settings, const PolicyStack& policies) {
  const std::launch where = launch_for(joint->graph.size());
  auto find = [joint = std::move(joint), settings, policies]() -> std::shared_ptr<const WaysOut> {
    auto found = attempt([&] { return std::make_shared<const WaysOut>(*joint, settings, policies); });
    return found ? *std::move(found) : nullptr;
  };
  return begin_beside(where, std::move(find)).share();
}

namespace {

Attempt<Partition> take_way_out(const WayOut& way, const JointGraph& joint, Settings settings,
                                const PolicyStack& policies) {
  settings.activation_memory_budget_solver = frontier_solver();
  settings.saved_bytes_limit = limit_of_bytes(way.held_bytes);
  return attempt([&] { return partition(joint, settings, policies); });
}

}  // namespace

// Each second one in a thread of its own.
std::vector<WayTaken> take_ways_out(const std::vector<WayOut>& ways, const JointGraph& joint, const Settings& settings,
                                    const PolicyStack& policies) {
  std::vector<std::optional<Attempt<Partition>>> made(ways.size());
  const auto take_from = [&](std::size_t first) {
    for (std::size_t i = first; i < ways.size(); i += 2) made[i] = take_way_out(ways[i], joint, settings, policies);
    return true;
  };
  at_once(joint.graph.size(), [&] { return take_from(0); }, [&] { return take_from(1); });
  std::vector<WayTaken> taken;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (*made[i]) taken.push_back({ways[i], **std::move(made[i])});
  }
  return taken;
}

}  // namespace fxcut
