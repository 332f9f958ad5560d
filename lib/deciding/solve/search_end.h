// Why a search for the best decision ended.
#pragma once

#include <cstddef>
#include <string_view>

namespace fxcut {

// Proof: no decision is better, or none is within the limit. Exhausted: nothing is left to split, but there is no
// proof.
enum class EndedBy { Proof, Exhausted, Gap, Stagnation, Steps, Parts, Time, Interrupt };

// Whether the same search could end elsewhere at another time or on another machine.
inline bool is_cut_short(EndedBy end) { return end == EndedBy::Time || end == EndedBy::Interrupt; }

// Its name in the report.
constexpr std::string_view name_of(EndedBy end) {
  constexpr std::string_view kEnds[] = {"proof", "exhausted",  "gap",  "stagnation",
                                        "steps", "parts", "time", "interrupt"};
  return kEnds[static_cast<std::size_t>(end)];
}

}  // namespace fxcut
