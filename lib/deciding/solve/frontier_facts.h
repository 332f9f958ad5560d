// What the frontier solver knows of its answer, for the report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/wide.h"
#include "solve/search_end.h"

namespace fxcut {

// How far a run cost is above its bound, as a share of it.
inline double gap(Wide run_cost, Wide bound) {
  return static_cast<double>(run_cost - bound) / (bound > 1 ? static_cast<double>(bound) : 1.0);
}

// What is known of an answer under a limit of the peak.
struct PeakLimitFacts {
  Wide limit_bytes = 0;
  std::size_t tried = 0;      // choices whose peak was simulated
  std::optional<Wide> bound;  // of run cost: no choice whose peak is within the limit costs less
};

// Where the peak is limited, the bound and the proof are of that limit, and the limit of bytes is what is saved.
struct FrontierFacts {
  std::int64_t limit_bytes = 0;
  std::int64_t saved_bytes = 0;  // of storages, each once, those that live anyway left out
  Wide run_cost = 0;             // of what is run again
  Wide bound = 0;                // no choice within the limit costs less
  bool is_proven = false;        // that none does better
  double price_per_byte = 0;     // in run cost, where the hull of all choices crosses the limit
  std::int64_t cuts = 0;         // that were solved
  std::int64_t parts = 0;        // of branch and bound that were looked at
  std::int64_t steps = 0;        // of work that the search took
  EndedBy ended_by = EndedBy::Proof;
  std::optional<PeakLimitFacts> peak = std::nullopt;  // where that is limited
};

}  // namespace fxcut
