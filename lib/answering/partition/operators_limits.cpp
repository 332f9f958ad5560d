#include "partition/operators_limits.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace fxcut {
namespace {

constexpr std::ptrdiff_t kMaxDecisions = 5;
constexpr double kClose = 0.98;  // of the limit: a decision that reaches it is good enough
constexpr double kAim = 0.99;
constexpr double kMinStep = 0.05;  // of the way between two limits

// Multiples of the operators' lowest peak.
constexpr double kFew[] = {1.25, 1.5, 2};
constexpr double kMany[] = {1.1, 1.25, 1.4, 1.6, 1.8, 2, 2.5};

MemoryLimit no_limit() { return limit_of_bytes(std::numeric_limits<std::int64_t>::max()); }
MemoryLimit limit_of(double bytes) {
  return bytes < static_cast<double>(no_limit().bytes) ? limit_of_bytes(static_cast<std::int64_t>(bytes)) : no_limit();
}

bool has_least(const std::vector<TriedPeaks>& tried) {
  return std::ranges::any_of(tried, [](const TriedPeaks& one) { return one.limit.is_least; });
}

// The eligible decision that ranks first; null if there is none.
const TriedPeaks* best_of(const std::vector<TriedPeaks>& tried, const auto& is_eligible, const auto& rank) {
  const TriedPeaks* best = nullptr;
  for (const TriedPeaks& one : tried) {
    if (one.outcome && is_eligible(*one.outcome) && (best == nullptr || rank(*one.outcome) < rank(*best->outcome))) best = &one;
  }
  return best;
}

// No decision fits so far: lowers the operators' limit by the excess of the lowest decision's code.
std::optional<MemoryLimit> lower(const std::vector<TriedPeaks>& tried, const PeaksOfDecision& high, double most_bytes) {
  if (has_least(tried)) return {};
  if (std::ranges::ssize(tried) + 1 == kMaxDecisions) return least_limit();
  return limit_of(high.operators * kAim * most_bytes / high.code);
}

std::optional<MemoryLimit> between(const TriedPeaks& low, const PeaksOfDecision& high, double most_bytes) {
  const double bottom = low.limit.is_least ? low.outcome->operators : static_cast<double>(low.limit.bytes);
  const double part = (kAim * most_bytes - low.outcome->code) / (high.code - low.outcome->code);
  const double limit = bottom + std::clamp(part, kMinStep, 1 - kMinStep) * (high.operators - bottom);
  if (limit <= bottom || limit >= high.operators) return {};
  return limit_of(limit);
}

}  // namespace

std::optional<MemoryLimit> next_operators_limit(const std::vector<TriedPeaks>& tried, double most_bytes) {
  if (tried.empty()) return no_limit();
  if (!tried.back().outcome) return has_least(tried) ? std::nullopt : std::optional(least_limit());
  if (std::ranges::count_if(tried, [](const TriedPeaks& one) { return one.outcome.has_value(); }) >= kMaxDecisions) return {};
  const TriedPeaks* high = best_of(
      tried, [&](const PeaksOfDecision& peaks) { return peaks.code > most_bytes; },
      [](const PeaksOfDecision& peaks) { return peaks.operators; });
  const TriedPeaks* low = best_of(
      tried, [&](const PeaksOfDecision& peaks) { return peaks.code <= most_bytes; },
      [](const PeaksOfDecision& peaks) { return -peaks.code; });
  if (high == nullptr || (low != nullptr && low->outcome->code >= kClose * most_bytes)) return {};
  return low == nullptr ? lower(tried, *high->outcome, most_bytes) : between(*low, *high->outcome, most_bytes);
}

std::optional<MemoryLimit> next_operators_limit_upwards(const std::vector<TriedPeaks>& tried, Spread spread) {
  if (tried.empty()) return no_limit();
  if (tried.size() == 1) return least_limit();
  const std::span<const double> multiples = spread == Spread::Few ? std::span(kFew) : std::span<const double>(kMany);
  const TriedPeaks& least = tried[1];
  const std::size_t done = tried.size() - 2;
  if (!least.outcome || done == multiples.size()) return {};
  return limit_of(multiples[done] * least.outcome->operators);
}

}  // namespace fxcut
