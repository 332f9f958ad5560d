// A better choice near the best one so far.
//
// Repeatedly keeps the storage that fits and spares the most run cost a byte; then drops each kept storage in turn and fills the
// room again, as long as that helps.
#pragma once

#include <cstdint>

#include "frontier/incumbent.h"
#include "frontier/recompute_problem.h"

namespace fxcut {

// Improves the incumbent's best choice, if it has one. Examines about `most_items` items in all, so that it ends in time on
// large problems, and ends when the incumbent's work is spent.
void improve(const RecomputeProblem& problem, Incumbent& incumbent, std::int64_t most_items);

}  // namespace fxcut
