// Facts of the frontier solver about its decision, for the report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/int128.h"

namespace fxcut {

// Why a search for the best decision ended. Proof: no decision is better, or none is within the limit. Exhausted: nothing is
// left to split, but there is no proof.
enum class EndedBy { Proof, Exhausted, Gap, Stagnation, Steps, Parts, Time, Interrupt };

// Its name in the report.
constexpr std::string_view name_of(EndedBy end) {
  constexpr std::string_view kEnds[] = {"proof", "exhausted",  "gap",  "stagnation",
                                        "steps", "parts", "time", "interrupt"};
  return kEnds[static_cast<std::size_t>(end)];
}

// How far a run cost is above its bound, as a share of the bound.
inline double gap(Int128 run_cost, Int128 bound) {
  return static_cast<double>(run_cost - bound) / (bound > 1 ? static_cast<double>(bound) : 1.0);
}

// Facts about a decision under a limit of the peak.
struct PeakLimitFacts {
  Int128 limit_bytes = 0;
  std::size_t tried = 0;      // decisions whose peak was simulated or predicted
  std::optional<Int128> bound;                       // of run cost: no decision with a peak within the limit costs less
  std::optional<Int128> floor_bytes = std::nullopt;  // no decision has a lower peak
};

// Facts about a decision that also copies storages to the host.
struct HostFacts {
  std::int64_t bytes = 0;  // of the copied storages
  Int128 waiting = 0;      // for copies, in the unit of run cost, of which it is a part
  bool waits_longer = false;  // in the graphs as written than the solver counted
  std::optional<std::int64_t> found_within = std::nullopt;  // bytes: a lower limit of the host than given, tried for that reason
};

// With a limit of the peak, bound and proof are for that limit, and the limit of bytes is the saved bytes.
struct FrontierFacts {
  std::int64_t limit_bytes = 0;
  std::int64_t saved_bytes = 0;  // of storages, each once, without those that are always resident
  Int128 run_cost = 0;           // of the recomputation, and of saving if that is priced (frontier/kernel_costs.h)
  Int128 bound = 0;              // no decision within the limit costs less
  bool is_proven = false;        // no decision is better
  double price_per_byte = 0;     // in run cost, where the hull of all decisions crosses the limit
  std::int64_t cuts = 0;         // solved
  std::int64_t parts = 0;        // of branch and bound that were examined
  std::int64_t steps = 0;        // of the search's work
  EndedBy ended_by = EndedBy::Proof;
  std::optional<PeakLimitFacts> peak = std::nullopt;  // if the peak is limited
  std::optional<Int128> keep_cost = std::nullopt;     // the part of run_cost for saving, if that is priced
  std::optional<HostFacts> host = std::nullopt;       // if copies are chosen; saved_bytes are then those on the device

  // With another bound or cost than a search found, whether they still prove each other.
  void set_bound(Int128 lower) {
    bound = lower;
    is_proven = bound == run_cost;
    if (!is_proven && ended_by == EndedBy::Proof) ended_by = EndedBy::Exhausted;
  }
};

// The minimised quantity, which `bound` bounds.
inline std::string_view minimised_by(const FrontierFacts& facts) {
  return facts.host ? "time" : facts.keep_cost ? "recomputation and saving" : "recomputation";
}

}  // namespace fxcut
