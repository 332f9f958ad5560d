#include "sizes/replayed_decisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

SizePoint point_of(const Report& report, const SymbolHints& hints) {
  return {hints, report.totals.saved_bytes_not_static, report.memory.counted_peak_bytes(), report.run_time->step_ms,
          report.run_time->recomputed_ms};
}

}  // namespace

const ReplayedDecision& ReplayedDecisions::add(Partition partition, std::size_t at, Int128 within) {
  ReplayedDecision& one = all_.emplace_back(ReplayedDecision{std::move(partition), at, within, {}});
  const Report& decision = one.partition.report;
  for (std::size_t p = 0; p < sizes_.size(); ++p) {
    one.points.push_back(point_of(p == at ? decision : replay(sizes_[p], decision).report, sizes_[p].hints));
  }
  return one;
}

double ReplayedDecisions::factor_above(const ReplayedDecision& one, const std::vector<Int128>& bytes) const {
  double factor = 1;
  for (std::size_t p = 0; p < sizes_.size(); ++p) factor = std::max(factor, share_of(used(one.points[p]), bytes[p]));
  return factor;
}

void ReplayedDecisions::set_limits_to_least() {
  std::vector<Int128> least(sizes_.size(), std::numeric_limits<std::int64_t>::max());
  for (const ReplayedDecision& one : all_) {
    for (std::size_t p = 0; p < sizes_.size(); ++p) least[p] = std::min(least[p], used(one.points[p]));
  }
  const auto nearest = std::ranges::min_element(all_, {}, [&](const ReplayedDecision& one) { return factor_above(one, least); });
  const double factor = factor_above(*nearest, least);
  limits_.resize(sizes_.size());
  for (std::size_t p = 0; p < sizes_.size(); ++p) {
    limits_[p] = std::max(static_cast<Int128>(factor * static_cast<double>(least[p])), used(nearest->points[p]));
  }
}

bool ReplayedDecisions::is_within(const ReplayedDecision& one) const {
  for (std::size_t p = 0; p < sizes_.size(); ++p) {
    if (used(one.points[p]) > limits_[p]) return false;
  }
  return true;
}

bool ReplayedDecisions::any_within() const {
  return std::ranges::any_of(all_, [&](const ReplayedDecision& one) { return is_within(one); });
}

double ReplayedDecisions::share_of_limit(const ReplayedDecision& one, std::size_t size) const {
  return share_of(used(one.points[size]), limits_[size]);
}

std::size_t ReplayedDecisions::tightest(const ReplayedDecision& one) const {
  std::size_t tightest = 0;
  for (std::size_t p = 1; p < sizes_.size(); ++p) {
    if (share_of_limit(one, p) > share_of_limit(one, tightest)) tightest = p;
  }
  return tightest;
}

ReplayedDecision* ReplayedDecisions::cheapest_within(const std::function<double(const ReplayedDecision&)>& cost_of) {
  ReplayedDecision* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (ReplayedDecision& one : all_) {
    if (!is_within(one)) continue;
    const double cost = cost_of(one);
    if (cost < least) best = &one;
    least = std::min(least, cost);
  }
  return best;
}

Failure ReplayedDecisions::none_within() const {
  const std::string_view what = limited_ == Limited::Peak ? "the peak bytes" : "the saved bytes";
  if (all_.empty()) return Failure(ExitStatus::NoPartition, "found no decision within the limit at each size");
  const auto nearest = std::ranges::min_element(all_, {}, [&](const ReplayedDecision& one) {
    return share_of_limit(one, tightest(one));
  });
  const std::size_t at = tightest(*nearest);
  const Int128 bytes = used(nearest->points[at]);
  return Failure(ExitStatus::NoPartition,
                 fmt::format("found no decision within the limit at each size: {} of the nearest one are {} ({}) at {}, above {}",
                             what, bytes, show_scaled(static_cast<double>(bytes), "B"), show_hints(sizes_[at].hints),
                             limits_[at]),
                 fmt::format("allow {} bytes, or give fewer sizes", bytes));
}

}  // namespace fxcut
