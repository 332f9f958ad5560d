#include "partition/step_peak_search.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "partition/above_limit.h"
#include "partition/search_facts.h"
#include "partition/try_limits.h"
#include "settings/memory_limit.h"

namespace fxcut {
namespace {

class StepSearch {
 public:
  StepSearch(const Settings& settings, const DecideStep& decide)
      : settings_(settings), limit_(*settings.peak_bytes_limit), decide_(decide) {}

  Attempt<Partition> run() {
    search(settings_);
    if (settings_.offload == Offload::Auto && !is_free()) {  // copies may cost more than they gain
      Settings without = settings_;
      without.offload = Offload::Marked;
      search(without);
    }
    if (settings_.cse && has_merged_ && !is_met()) {
      Settings unmerged = settings_;
      unmerged.cse = false;
      search(unmerged);
    }
    if (!settings_.chooses_partitioner && !is_free()) try_tags();
    if (!best_) return *failure_;
    if (!limit_.is_least && best_->memory.peak_bytes() > limit_.bytes)
      return above_limit(limit_, best_->report, MemoryOf::Operators);
    if (!best_->report.peak_limit) best_->report.peak_limit = PeakLimitFacts{};
    best_->report.peak_limit->tried = tried_;
    return std::move(*best_);
  }

 private:
  struct TriedStep {
    Int128 step_bytes = 0;
    Int128 parts_bytes = 0;  // as simulated, with the limit "least"
    bool is_by_limit = false;
  };

  bool is_met() const { return !limit_.is_least && best_ && best_->memory.peak_bytes() <= limit_.bytes; }
  bool is_free() const { return is_met() && run_cost_of(*best_) == 0; }

  void search(const Settings& settings) {
    if (!limit_.is_least && lower_until_met(settings, limit_.bytes)) return;
    const std::optional<TriedStep> lowest = try_within(settings, least_limit());
    if (limit_.is_least || !lowest || !lowest->is_by_limit || lowest->step_bytes > limit_.bytes) return;
    // The step takes less than the parts, by about as much as at the higher limit.
    lower_until_met(settings,
                    static_cast<std::int64_t>(lowest->parts_bytes * limit_.bytes / std::max<Int128>(1, lowest->step_bytes)));
  }

  // Starting from that limit of the parts, lowers it by the step's excess until the step fits.
  bool lower_until_met(const Settings& settings, std::int64_t of_parts) {
    const auto tried = lower_by_excess(limit_of_bytes(of_parts), [&](const MemoryLimit& limit) -> std::optional<Int128> {
      const std::optional<TriedStep> step = try_within(settings, limit);
      const bool is_met = step && step->step_bytes <= limit_.bytes;
      return step && (is_met || step->is_by_limit) ? std::optional(step->step_bytes - limit_.bytes) : std::nullopt;
    });
    return tried.back().outcome && *tried.back().outcome <= 0;
  }

  std::optional<TriedStep> try_within(Settings settings, const MemoryLimit& of_parts) {
    settings.peak_bytes_limit = of_parts;
    return try_to(settings);
  }

  // Tries PyTorch's own pass, or, if it refuses the step, the tags.
  void try_tags() {
    Settings settings = settings_;
    settings.peak_bytes_limit.reset();
    settings.activation_memory_budget_solver = {};
    try_to(settings);
  }

  std::optional<TriedStep> try_to(const Settings& settings) {
    Attempt<Partition> found = decide_(settings);
    if (found) return offer(*std::move(found));
    if (!failure_) failure_ = found.failure();
    has_merged_ = true;  // perhaps
    return std::nullopt;
  }

  TriedStep offer(Partition found) {
    const std::optional<PeakLimitFacts>& facts = found.report.peak_limit;
    const TriedStep step{found.memory.peak_bytes(), facts ? facts->limit_bytes : Int128{0}, facts.has_value()};
    tried_ += facts ? facts->tried : 1;
    has_merged_ = has_merged_ || (found.decision && !found.decision->joint.repeats.empty());
    forget_bound(found.report);
    if (!best_ || rank(found) < rank(*best_)) best_ = std::move(found);
    return step;
  }

  // First whether it is above the limit, then the figures to minimise.
  std::tuple<bool, Int128, Int128> rank(const Partition& partition) const {
    const Int128 peak = partition.memory.peak_bytes(), cost = run_cost_of(partition);
    if (limit_.is_least) return {false, peak, cost};
    return peak > limit_.bytes ? std::tuple(true, peak, cost) : std::tuple(false, cost, peak);
  }

  const Settings& settings_;
  const MemoryLimit limit_;
  const DecideStep& decide_;
  std::optional<Partition> best_;
  std::optional<Failure> failure_;
  std::size_t tried_ = 0;
  bool has_merged_ = false;
};

}  // namespace

Attempt<Partition> step_within_peak(const Settings& settings, const DecideStep& decide) {
  return StepSearch(settings, decide).run();
}

}  // namespace fxcut
