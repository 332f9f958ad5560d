// The search over limits of memory that all searches for a limit of one graph's peak use.
//
// A finished decision does not take the bytes that its solver has counted: later passes add some, the phases of a whole step run
// in another order than its two parts, and compiled code takes less or more. So the solver's limit is corrected by the outcome,
// as `next` says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "graph/int128.h"
#include "settings/memory_limit.h"

namespace fxcut {

// A limit, and what the search goes by of the decision within it; nothing if there is none, or none that a limit changes.
template <typename T>
struct TriedLimit {
  MemoryLimit limit;
  std::optional<T> outcome;
};

// `evaluate` returns, for a limit, the outcome of a decision within it, as an optional; it keeps the decision. `next` returns the
// limit to try after a list of TriedLimit, or nothing once the search is over. Returns what was tried.
template <typename Evaluate, typename Next>
auto try_limits(const Evaluate& evaluate, const Next& next) {
  std::vector<TriedLimit<typename std::invoke_result_t<const Evaluate&, const MemoryLimit&>::value_type>> tried;
  while (const std::optional<MemoryLimit> limit = next(tried)) tried.push_back({*limit, evaluate(*limit)});
  return tried;
}

inline constexpr std::size_t kMaxLimitsTried = 5;

// Tries `first`; then, while a decision is above what is wanted by the bytes that `evaluate` returns, its limit less these. It
// ends with a decision that is not above, with none, after `most_tried`, with the limit "least", and where less than 0 bytes
// would remain.
template <typename Evaluate>
auto lower_by_excess(const MemoryLimit& first, const Evaluate& evaluate, std::size_t most_tried = kMaxLimitsTried) {
  return try_limits(evaluate, [&](const std::vector<TriedLimit<Int128>>& tried) -> std::optional<MemoryLimit> {
    if (tried.empty()) return first;
    const auto& [limit, excess] = tried.back();
    if (tried.size() == most_tried || limit.is_least || !excess || *excess <= 0 || *excess > limit.bytes) return std::nullopt;
    return limit_of_bytes(limit.bytes - static_cast<std::int64_t>(*excess));
  });
}

}  // namespace fxcut
