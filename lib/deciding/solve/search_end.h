// Why a search for the best choice ended.
#pragma once

#include <string_view>

namespace fxcut {

// Proof: no choice is better, or none is within the limit. Exhausted: nothing is left to split, and yet no proof.
enum class EndedBy { Proof, Exhausted, Gap, Stagnation, Steps, Parts, Time, Interrupt };

// Whether at another time or on another machine the same search could end elsewhere.
inline bool is_cut_short(EndedBy end) { return end == EndedBy::Time || end == EndedBy::Interrupt; }

// As the report says it.
std::string_view word_for(EndedBy end);

}  // namespace fxcut
