// Facts of the frontier solver about its decision, for the report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "graph/wide.h"
#include "solve/search_end.h"

namespace fxcut {

// How far a run cost is above its bound, as a share of the bound.
inline double gap(Wide run_cost, Wide bound) {
  return static_cast<double>(run_cost - bound) / (bound > 1 ? static_cast<double>(bound) : 1.0);
}

// Facts about a decision under a limit of the peak.
struct PeakLimitFacts {
  Wide limit_bytes = 0;
  std::size_t tried = 0;      // decisions whose peak was simulated
  std::optional<Wide> bound;  // of run cost: no decision with a peak within the limit costs less
};

// With a limit of the peak, bound and proof are for that limit, and the limit of bytes is the saved bytes.
struct FrontierFacts {
  std::int64_t limit_bytes = 0;
  std::int64_t saved_bytes = 0;  // of storages, each once, without those that are always resident
  Wide run_cost = 0;             // of the recomputation
  Wide bound = 0;                // no decision within the limit costs less
  bool is_proven = false;        // no decision is better
  double price_per_byte = 0;     // in run cost, where the hull of all decisions crosses the limit
  std::int64_t cuts = 0;         // solved
  std::int64_t parts = 0;        // of branch and bound that were examined
  std::int64_t steps = 0;        // of the search's work
  EndedBy ended_by = EndedBy::Proof;
  std::optional<PeakLimitFacts> peak = std::nullopt;  // if the peak is limited
};

}  // namespace fxcut
