// Chooses recomputed values that the backward drops at once and recomputes again, spread over its recomputation.
//
// Wherever the backward recomputes more than there is room for, the recomputed values that later steps need are divided into
// units where little crosses, as between layers. Of n units with room for c crossings it keeps c, at the distances of the
// binomial schedule, and the last unit, which is needed first. The others are recomputed from the nearest kept crossing when
// the backward comes to them, in the room that is free by then. So each unit runs at most r times, where r is the least with
// C(c + 1 + r, r) >= n (Griewank and Walther, "Algorithm 799: Revolve", 2000). On a chain of equal layers that is the schedule
// with the fewest runs; in other graphs it is a guess, and the simulated backward tells the memory it takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/int128.h"
#include "peak/backward_with_drops.h"

namespace fxcut {

// How many of `units` come before the next crossing that is kept, if `kept` can be, this one included: at least 1 and fewer than
// all. Of at least two units; `kept` at least 1.
std::size_t units_before_kept(std::size_t units, std::size_t kept);

// The memories to drop so that about `limit_bytes` are in use at most.
std::vector<std::uint32_t> drops_within(const JustRecomputed& now, Int128 limit_bytes);

}  // namespace fxcut
