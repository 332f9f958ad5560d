#include "stage/plan_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "schedule/receive_buffers.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

using Picked = std::vector<std::size_t>;
using Objective = std::pair<double, double>;  // time of the step, and of the ranks' work

class Planning {
 public:
  Planning(const Schedule& schedule, const std::vector<std::vector<StageChoice>>& choices, std::int64_t limit_bytes,
           const std::vector<StageLink>& links)
      : schedule_(schedule), shape_(shape_of(schedule)), choices_(choices), limit_bytes_(limit_bytes), links_(links) {
    for (std::size_t rank = 0; rank < schedule.size(); ++rank) buffers_.push_back(receive_buffers(schedule, rank, links));
  }

  StagePlan run() {
    offer(true);
    const Picked least = least_memory();
    refuse_ranks(least);
    const double bound_ms = simulate(schedule_, fastest_alone(), links_).step_ms;
    Picked best = exchanged(least);
    if (!offer(false)) return {std::move(best), bound_ms};
    const Picked as_needed = least_memory();
    for (std::size_t rank = 0; rank < schedule_.size(); ++rank) {
      if (!fits(rank, as_needed)) return {std::move(best), bound_ms};
    }
    Picked other = exchanged(as_needed);
    offer(true);
    other = exchanged(std::move(other));
    return {objective(other) < objective(best) ? std::move(other) : std::move(best), bound_ms};
  }

 private:
  // Offers all choices of each stage, or only those that hold what is needed between the parts of a backward; returns whether
  // there are others.
  bool offer(bool all) {
    bool has_others = false;
    offered_.assign(choices_.size(), {});
    for (std::size_t stage = 0; stage < choices_.size(); ++stage) {
      for (std::size_t i = 0; i < choices_[stage].size(); ++i) {
        const bool is_least = choices_[stage][i].holding == Holding::Least;
        has_others = has_others || is_least;
        if (all || !is_least) offered_[stage].push_back(i);
      }
    }
    return has_others;
  }

  Picked exchanged(Picked picked) const {
    Objective now = objective(picked);
    for (bool has_changed = true; has_changed;) {
      has_changed = false;
      for (std::size_t rank = 0; rank < schedule_.size(); ++rank) has_changed = improve(rank, picked, now) || has_changed;
    }
    return picked;
  }

  std::vector<std::size_t> stages_of(std::size_t rank) const {
    const std::vector<int> stages = shape_.stages_of(static_cast<int>(rank));
    return {stages.begin(), stages.end()};
  }

  std::int64_t peak_of(std::size_t rank, const Picked& picked) const {
    std::vector<StageBytes> bytes;
    for (std::size_t i = 0; i < picked.size(); ++i) bytes.push_back(choices_[i][picked[i]].bytes);
    return rank_memory(schedule_, rank, bytes, buffers_[rank]).peak();
  }

  bool fits(std::size_t rank, const Picked& picked) const { return peak_of(rank, picked) <= limit_bytes_; }

  Objective objective(const Picked& picked) const {
    std::vector<StageTimes> times;
    for (std::size_t i = 0; i < picked.size(); ++i) times.push_back(choices_[i][picked[i]].times);
    const SimulatedStep step = simulate(schedule_, times, links_);
    return {step.step_ms, std::accumulate(step.busy_ms.begin(), step.busy_ms.end(), 0.0)};
  }

  // Calls `visit` with each choice of other decisions for one or two stages of the rank.
  template <typename Visit>
  void for_each_exchange(std::size_t rank, const Picked& picked, const Visit& visit) const {
    const std::vector<std::size_t> stages = stages_of(rank);
    for (std::size_t a = 0; a < stages.size(); ++a) {
      for (const std::size_t i : offered_[stages[a]]) {
        Picked trial = picked;
        trial[stages[a]] = i;
        visit(trial);
        for (std::size_t b = a + 1; b < stages.size(); ++b) {
          for (const std::size_t j : offered_[stages[b]]) {
            Picked both = trial;
            both[stages[b]] = j;
            visit(both);
          }
        }
      }
    }
  }

  // The decisions with the lowest peak of each rank that such exchanges find: the optimum if no rank has more than two stages.
  Picked least_memory() const {
    Picked picked;
    for (const auto& offered : offered_) picked.push_back(offered.front());
    for (std::size_t rank = 0; rank < schedule_.size(); ++rank) {
      std::int64_t least = peak_of(rank, picked);
      for (bool has_changed = true; has_changed;) {
        Picked best = picked;
        for_each_exchange(rank, picked, [&](const Picked& trial) {
          const std::int64_t peak = peak_of(rank, trial);
          if (peak < least) best = trial;
          least = std::min(least, peak);
        });
        has_changed = best != picked;
        picked = std::move(best);
      }
    }
    return picked;
  }

  void refuse_ranks(const Picked& picked) const {
    std::vector<Diagnostic> diagnostics;
    for (std::size_t rank = 0; rank < schedule_.size(); ++rank) {
      if (fits(rank, picked)) continue;
      const std::int64_t needed = peak_of(rank, picked);
      diagnostics.push_back({"",
                             fmt::format("rank {} needs {}, more than the limit of {}", rank,
                                         show_bytes_apart(needed, limit_bytes_), show_bytes_apart(limit_bytes_, needed)),
                             "the least of the decisions looked at for its stages; "
                             "raise --memory, or use more stages or other splits"});
    }
    if (!diagnostics.empty()) throw Failure(ExitStatus::NoPartition, std::move(diagnostics));
  }

  // For each stage, the least of each of its times among the decisions that fit beside the least bytes of the others.
  std::vector<StageTimes> fastest_alone() const {
    std::vector<StageBytes> least_bytes;
    for (const auto& of_stage : choices_) least_bytes.push_back(least_of(of_stage));
    std::vector<StageTimes> fastest;
    for (std::size_t stage = 0; stage < choices_.size(); ++stage) {
      const auto rank = static_cast<std::size_t>(shape_.rank_of_stage[stage]);
      std::vector<StageBytes> bytes = least_bytes;
      std::optional<StageTimes> least;
      for (const StageChoice& choice : choices_[stage]) {
        bytes[stage] = choice.bytes;
        if (rank_memory(schedule_, rank, bytes, buffers_[rank]).peak() > limit_bytes_) continue;
        least = least ? least_of(*least, choice.times) : choice.times;
      }
      fastest.push_back(least.value());  // what was picked fits
    }
    return fastest;
  }

  static StageTimes least_of(const StageTimes& a, const StageTimes& b) {
    return {std::min(a.forward_ms, b.forward_ms), std::min(a.backward_ms, b.backward_ms),
            std::min(a.input_backward_ms, b.input_backward_ms), std::min(a.weight_backward_ms, b.weight_backward_ms)};
  }

  static StageBytes least_of(const std::vector<StageChoice>& choices) {
    StageBytes least = choices.front().bytes;
    for (const StageChoice& choice : choices) {
      for (const auto member : {&StageBytes::parameters, &StageBytes::gradients, &StageBytes::optimizer, &StageBytes::held,
                                &StageBytes::forward, &StageBytes::backward, &StageBytes::input_backward,
                                &StageBytes::held_for_weights, &StageBytes::weight_backward}) {
        least.*member = std::min(least.*member, choice.bytes.*member);
      }
    }
    return least;
  }

  // Picks the best decisions for one or two stages of the rank; returns whether that changes anything.
  bool improve(std::size_t rank, Picked& picked, Objective& now) const {
    Picked best = picked;
    for_each_exchange(rank, picked, [&](const Picked& trial) {
      if (!fits(rank, trial)) return;
      const Objective found = objective(trial);
      if (found < now) {
        now = found;
        best = trial;
      }
    });
    const bool has_changed = best != picked;
    picked = std::move(best);
    return has_changed;
  }

  const Schedule& schedule_;
  const ScheduleShape shape_;
  const std::vector<std::vector<StageChoice>>& choices_;
  const std::int64_t limit_bytes_;
  const std::vector<StageLink>& links_;
  std::vector<std::vector<std::int64_t>> buffers_;  // by rank and action
  std::vector<std::vector<std::size_t>> offered_;   // by stage
};

}  // namespace

StagePlan plan_stages(const Schedule& schedule, const std::vector<std::vector<StageChoice>>& choices, std::int64_t limit_bytes,
                      const std::vector<StageLink>& links) {
  return Planning(schedule, choices, limit_bytes, links).run();
}

}  // namespace fxcut
