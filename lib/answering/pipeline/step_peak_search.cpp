#include "pipeline/step_peak_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "pipeline/search_facts.h"
#include "settings/memory_limit.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr int kMaxLimitsTried = 5;  // of limits of the parts

class StepSearch {
 public:
  StepSearch(const Settings& settings, const DecideStep& decide)
      : settings_(settings), limit_(*settings.peak_bytes_limit), decide_(decide) {}

  Partition run() {
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
    if (!best_) throw *failure_;
    if (!limit_.is_least && best_->memory.peak_bytes() > limit_.bytes) throw above_limit(best_->report.memory, limit_);
    if (!best_->report.peak_limit) best_->report.peak_limit = PeakLimitFacts{};
    best_->report.peak_limit->tried = tried_;
    return std::move(*best_);
  }

 private:
  struct Tried {
    Wide step_bytes = 0;
    Wide parts_bytes = 0;   // as simulated, with the limit "least"
    bool is_by_limit = false;
  };

  bool is_met() const { return !limit_.is_least && best_ && best_->memory.peak_bytes() <= limit_.bytes; }
  bool is_free() const { return is_met() && run_cost_of(*best_) == 0; }

  void search(const Settings& settings) {
    if (!limit_.is_least && lower_until_met(settings, limit_.bytes)) return;
    const std::optional<Tried> lowest = try_within(settings, kLowestPeak);
    if (limit_.is_least || !lowest || !lowest->is_by_limit || lowest->step_bytes > limit_.bytes) return;
    // The step takes less than the parts, by about as much as at the higher limit.
    lower_until_met(settings,
                    static_cast<std::int64_t>(lowest->parts_bytes * limit_.bytes / std::max<Wide>(1, lowest->step_bytes)));
  }

  // Starting from that limit of the parts, lowers it by the step's excess until the step fits.
  bool lower_until_met(const Settings& settings, std::int64_t of_parts) {
    for (int i = 0; i < kMaxLimitsTried && of_parts >= 0; ++i) {
      const std::optional<Tried> tried = try_within(settings, limit_of_bytes(of_parts));
      if (!tried) return false;
      if (tried->step_bytes <= limit_.bytes) return true;
      if (!tried->is_by_limit) return false;
      of_parts -= static_cast<std::int64_t>(tried->step_bytes - limit_.bytes);
    }
    return false;
  }

  std::optional<Tried> try_within(Settings settings, const MemoryLimit& of_parts) {
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

  std::optional<Tried> try_to(const Settings& settings) {
    try {
      return offer(decide_(settings));
    } catch (const Failure& unmet) {
      if (unmet.status() != ExitStatus::NoPartition) throw;
      if (!failure_) failure_ = unmet;
      has_merged_ = true;  // perhaps
      return std::nullopt;
    }
  }

  Tried offer(Partition found) {
    const std::optional<PeakLimitFacts>& facts = found.report.peak_limit;
    const Tried tried{found.memory.peak_bytes(), facts ? facts->limit_bytes : Wide{0}, facts.has_value()};
    tried_ += facts ? facts->tried : 1;
    has_merged_ = has_merged_ || (found.decision && !found.decision->joint.repeats.empty());
    forget_bound(found.report);
    if (!best_ || rank(found) < rank(*best_)) best_ = std::move(found);
    return tried;
  }

  // First whether it is above the limit, then the figures to minimise.
  std::tuple<bool, Wide, Wide> rank(const Partition& partition) const {
    const Wide peak = partition.memory.peak_bytes(), cost = run_cost_of(partition);
    if (limit_.is_least) return {false, peak, cost};
    return peak > limit_.bytes ? std::tuple(true, peak, cost) : std::tuple(false, cost, peak);
  }

  inline static const MemoryLimit kLowestPeak{true, 0, "least"};

  const Settings& settings_;
  const MemoryLimit limit_;
  const DecideStep& decide_;
  std::optional<Partition> best_;
  std::optional<Failure> failure_;
  std::size_t tried_ = 0;
  bool has_merged_ = false;
};

}  // namespace

Partition step_within_peak(const Settings& settings, const DecideStep& decide) { return StepSearch(settings, decide).run(); }

Failure above_limit(const MemoryReport& lowest, const MemoryLimit& limit) {
  return Failure(ExitStatus::NoPartition,
                 fmt::format("found no decision with a peak of at most {} bytes: the lowest found is {} bytes ({}), "
                             "in the {} at '{}'",
                             limit.bytes, lowest.peak_bytes, show_scaled(static_cast<double>(lowest.peak_bytes), "B"),
                             lowest.peak_at.graph, lowest.peak_at.node),
                 fmt::format("allow {} bytes, or 'least' for the lowest possible", lowest.peak_bytes));
}

}  // namespace fxcut
