#include "sizes/decide_for_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "cost/size.h"
#include "diagnostic/attempt.h"
#include "diagnostic/diagnostic.h"
#include "frontier/save_within_limit.h"
#include "partition/peak_search.h"
#include "partition/search_facts.h"
#include "report/decision_effect.h"
#include "sizes/each_size.h"
#include "sizes/replayed_decisions.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

constexpr int kMaxDecisions = 6;           // made at single sizes
constexpr std::size_t kMaxLeastPeaks = 4;  // sizes at which the lowest peak is searched for
constexpr double kAim = 0.995;             // of a limit that was exceeded

Limited limited_by(const Settings& settings) {
  if (settings.peak_bytes_limit) return Limited::Peak;
  return uses_frontier(settings, settings.activation_memory_budget) ? Limited::SavedBytes : Limited::Nothing;
}

// The size at which the graph's values take the most bytes.
std::size_t largest_of(const std::vector<JointGraph>& sizes) {
  std::size_t largest = 0;
  Int128 most = -1;
  for (std::size_t p = 0; p < sizes.size(); ++p) {
    Int128 bytes = 0;
    for (const auto& [storage, size] : storage_bytes(sizes[p].graph)) bytes += size;
    if (bytes > most) largest = p;
    most = std::max(most, bytes);
  }
  return largest;
}

class SizesSearch {
 public:
  SizesSearch(const std::vector<JointGraph>& sizes, const Settings& settings, const PolicyStack& policies, LeastFor least_for,
              const HaltRequested& halt)
      : sizes_(sizes), settings_(settings), policies_(policies), least_for_(least_for), halt_(halt),
        limited_(limited_by(settings)), largest_(largest_of(sizes)), decisions_(sizes, limited_) {}

  DecidedForSizes run() {
    if (limited_ == Limited::Nothing) {
      decide_at(0, settings_, kNoBytes);
      return told(decisions_.all().front());
    }
    look_at_all_together();
    if (limited_ == Limited::SavedBytes && together_) search_saved_bytes();
    if (decisions_.limits().empty()) set_limits();
    if (limited_ == Limited::Peak && together_ && !limit()->is_least) search_peak();
    decide_at_single_sizes();
    if (for_each_.kept) add_choice(*for_each_.kept);
    if (!decisions_.any_within() && !limit()->is_least) decide_least();
    ReplayedDecision* const best = decisions_.cheapest_within([&](const ReplayedDecision& one) { return cost_of(one); });
    if (!best) throw decisions_.none_within();
    return told(*best);
  }

 private:
  const std::optional<MemoryLimit>& limit() const {
    return limited_ == Limited::Peak ? settings_.peak_bytes_limit : settings_.saved_bytes_limit;
  }

  // The size whose cost counts alone.
  std::optional<std::size_t> only_counted() const {
    return least_for_ == LeastFor::Mean ? std::nullopt : std::optional(largest_);
  }

  // Not where copies to the host, repeated recomputation or the phases of a whole step count as well.
  void look_at_all_together() {
    if (settings_.offload == Offload::Auto || settings_.recompute_again || sizes_.front().step) return;
    if (settings_.partitioner != Partitioner::MinCut) return;
    together_.emplace(sizes_, settings_, policies_);
    if (!together_->is_one_problem()) together_.reset();
  }

  void search_saved_bytes() {
    for_each_ = together_->search(only_counted(), search_limits(settings_, halt_));
    decisions_.set_limits(together_->limits());
  }

  // The peak of a choice is what it saves and more. So the limits of saved bytes are lowered where the peak is above its limit.
  void search_peak() {
    std::vector<Int128> saved_limits = decisions_.limits();
    for (int i = 0; i < kMaxDecisions && halt_() == Halt::No; ++i) {
      const ChoiceForEach found = together_->search_within(saved_limits, only_counted(), search_limits(settings_, halt_));
      if (!found.kept) return;
      const ReplayedDecision& one = add_choice(*found.kept);
      if (decisions_.is_within(one)) return;
      for (std::size_t p = 0; p < sizes_.size(); ++p) {
        const Int128 excess = one.points[p].peak_bytes - decisions_.limits()[p];
        if (excess > 0) saved_limits[p] = std::min<Int128>(saved_limits[p], one.points[p].saved_bytes) - excess;
      }
    }
  }

  // For graphs without a search for all sizes together. The least at a size is found by a decision there.
  void set_limits() {
    if (!limit()) {
      throw Failure(ExitStatus::Usage, "several sizes of this graph need a limit in bytes, not a memory budget",
                    "give --saved-bytes SIZE or --peak-bytes SIZE");
    }
    if (!limit()->is_least) return decisions_.set_limits(std::vector<Int128>(sizes_.size(), limit()->bytes));
    decide_least();
    decisions_.set_limits_to_least();
  }

  // The least at some sizes, the first and the last among them.
  void decide_least() {
    Settings settings = settings_within(0);
    (limited_ == Limited::Peak ? settings.peak_bytes_limit : settings.saved_bytes_limit) = least_limit();
    const std::size_t tried = std::min(sizes_.size(), kMaxLeastPeaks);
    for (std::size_t i = 0; i < tried; ++i) {
      decide_at(tried > 1 ? i * (sizes_.size() - 1) / (tried - 1) : 0, settings, kNoBytes);
    }
  }

  Settings settings_within(Int128 limit_bytes) const {
    Settings settings = settings_;
    auto& limit = limited_ == Limited::Peak ? settings.peak_bytes_limit : settings.saved_bytes_limit;
    limit = limit_of_bytes(static_cast<std::int64_t>(limit_bytes));
    settings.activation_memory_budget = 1;
    settings.activation_memory_budget_solver = frontier_solver();
    return settings;
  }

  const ReplayedDecision& decide_at(std::size_t at, const Settings& settings, Int128 within) {
    return decisions_.add(limited_ == Limited::Peak ? partition_within_peak(sizes_[at], settings, policies_, halt_)
                                                    : partition(sizes_[at], settings, policies_, halt_),
                          at, within);
  }

  // Until one is within the limit at each size.
  void decide_at_single_sizes() {
    if (limit() && limit()->is_least && !for_each_.kept) return;  // done to find the limits
    const bool is_found = for_each_.kept || decisions_.any_within();
    std::vector<Int128> within = decisions_.limits();
    std::set<std::size_t> tried;
    std::size_t at = largest_;
    for (int i = 0; i < kMaxDecisions; ++i) {
      const ReplayedDecision* const one = try_at(at, within[at], !is_found);
      if (!one || is_found || decisions_.is_within(*one) || halt_() != Halt::No) return;
      tried.insert(at);
      at = decisions_.tightest(*one);
      if (!tried.contains(at)) continue;
      within[at] = static_cast<Int128>(static_cast<double>(within[at]) * kAim / decisions_.share_of_limit(*one, at));
    }
  }

  // Null if there is no decision within the limit; if that is the size's own and one `must_be`, throws.
  const ReplayedDecision* try_at(std::size_t at, Int128 within, bool must_be) {
    auto made = attempt([&] { return &decide_at(at, settings_within(within), within); });
    if (made) return *made;
    if (must_be && within == decisions_.limits()[at]) throw at_size(made.failure(), sizes_[at].hints);
    return nullptr;
  }

  // Proven by a decision within the limit of that size alone; else 0.
  Int128 bound_at(std::size_t at) const {
    const auto made = std::ranges::find_if(decisions_.all(), [&](const ReplayedDecision& one) {
      return one.at == at && one.within == decisions_.limits()[at] && one.partition.report.frontier;
    });
    return made == decisions_.all().end() ? 0 : made->partition.report.frontier->bound;
  }

  // A choice of the search for all sizes, at the one that binds.
  const ReplayedDecision& add_choice(const KeptStorages& kept) {
    const std::vector<Outcome> outcomes = together_->outcomes(kept);
    const std::vector<Int128>& limits = decisions_.limits();
    std::size_t at = 0;
    for (std::size_t p = 1; p < sizes_.size(); ++p) {
      if (share_of(outcomes[p].bytes, limits[p]) > share_of(outcomes[at].bytes, limits[at])) at = p;
    }
    FrontierFacts facts{.limit_bytes = limited_ == Limited::Peak ? outcomes[at].bytes : static_cast<std::int64_t>(limits[at]),
                        .saved_bytes = outcomes[at].bytes,
                        .run_cost = outcomes[at].run_cost,
                        .bound = std::min(bound_at(at), outcomes[at].run_cost),
                        .ended_by = EndedBy::Exhausted};
    facts.is_proven = facts.bound == facts.run_cost;
    if (facts.is_proven) facts.ended_by = EndedBy::Proof;
    return decisions_.add(partition_keeping(sizes_[at], settings_within(limits[at]), policies_, kept, facts), at, limits[at]);
  }

  // The solver's price of what is recomputed, or the times of the steps where these are compared, as of one size.
  double cost_of(const ReplayedDecision& one) const {
    if (together_ && !together_->prices_kernels()) return static_cast<double>(run_cost_of_all(one.partition.report));
    return minimised_ms(one.points, least_for_);
  }

  Int128 run_cost_of_all(const Report& report) const {
    const std::vector<Outcome> outcomes = together_->outcomes(together_->kept_by(report));
    const std::optional<std::size_t> only = only_counted();
    Int128 run_cost = 0;
    for (std::size_t p = 0; p < sizes_.size(); ++p) run_cost += !only || p == *only ? outcomes[p].run_cost : 0;
    return run_cost;
  }

  std::optional<SizesQuality> quality_of(const Report& report) const {
    if (!for_each_.kept || report.decided_by != Partitioner::MinCut) return std::nullopt;
    const Int128 run_cost = run_cost_of_all(report);
    return SizesQuality{run_cost, std::min(for_each_.bound, run_cost)};
  }

  // A bound proven for another limit says nothing about the size's own.
  void tell_limit(Report& report, const ReplayedDecision& one) const {
    const Int128 limit = decisions_.limits()[one.at];
    if (limited_ == Limited::Peak && !report.peak_limit) {
      report.peak_limit = PeakLimitFacts{.limit_bytes = limit, .tried = decisions_.all().size(), .bound = std::nullopt};
    }
    if (one.within == limit) return;
    forget_bound(report);
    if (report.peak_limit) report.peak_limit->limit_bytes = limit;
    if (report.frontier && !report.peak_limit) report.frontier->limit_bytes = static_cast<std::int64_t>(limit);
  }

  DecidedForSizes told(ReplayedDecision& one) {
    Report& report = one.partition.report;
    VaryingSizes told{least_for_, one.points, one.at};
    if (limited_ != Limited::Nothing) {
      for (std::size_t p = 0; p < sizes_.size(); ++p) told.points[p].limit_bytes = decisions_.limits()[p];
      told.binding = decisions_.tightest(one);
      told.quality = quality_of(report);
      tell_limit(report, one);
    }
    report.settings.saved_bytes_limit = settings_.saved_bytes_limit;
    report.settings.peak_bytes_limit = settings_.peak_bytes_limit;
    report.settings.activation_memory_budget = settings_.activation_memory_budget;
    report.varying_sizes = std::move(told);
    return {std::move(one.partition), one.at};
  }

  const std::vector<JointGraph>& sizes_;
  const Settings& settings_;
  const PolicyStack& policies_;
  LeastFor least_for_;
  const HaltRequested& halt_;
  Limited limited_;
  std::size_t largest_;
  ReplayedDecisions decisions_;
  std::optional<EachSize> together_;
  ChoiceForEach for_each_;
};

}  // namespace

DecidedForSizes decide_for_sizes(const std::vector<JointGraph>& sizes, const Settings& settings, const PolicyStack& policies,
                                 LeastFor least_for, const HaltRequested& halt) {
  if (limits_count_forms(settings, policies)) {
    const std::string_view what = settings.compress != Compress::None ? "compress" : "a policy's COMPRESS";
    throw Failure(ExitStatus::Usage,
                  fmt::format("{} cannot be combined with several sizes: forms of fewer bits are chosen for one", what),
                  settings.compress != Compress::None ? "give one number for each symbol, or remove --compress"
                                                      : "give one number for each symbol, or remove the rule");
  }
  return SizesSearch(sizes, settings, policies, least_for, halt).run();
}

}  // namespace fxcut
