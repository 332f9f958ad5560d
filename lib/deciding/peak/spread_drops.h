// Which recomputed values the backward drops at once and recomputes again, spread over what it recomputes.
//
// Wherever the backward recomputes more than there is room for, the values that it made are divided into units at the places
// where little crosses (as layers do), all that later steps need. Of n units and room for c of these crossings it keeps c, at the
// distances of the binomial schedule, and the last unit, which is needed first. The others are recomputed from the nearest kept
// one when the backward comes to them, with the room that is free by then: so that each unit runs at most r times, where r is the
// least with C(c + 1 + r, r) >= n (Griewank and Walther, "Algorithm 799: Revolve", 2000). On a chain of equal layers that is
// the schedule with the fewest runs; in other graphs it is a guess, and the simulated backward says what it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/wide.h"
#include "peak/backward_with_drops.h"

namespace fxcut {

// How many of `units` come before the next crossing that is kept, if `kept` can be, this one included: at least 1 and fewer than
// all. Of at least two units; `kept` at least 1.
std::size_t units_before_kept(std::size_t units, std::size_t kept);

// What is to be dropped so that no more than about that is in use.
std::vector<std::uint32_t> drops_within(const JustRecomputed& now, Wide limit_bytes);

}  // namespace fxcut
