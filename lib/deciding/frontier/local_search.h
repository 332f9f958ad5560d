// Making a choice better a storage at a time.
#pragma once

#include "frontier/incumbent.h"

namespace fxcut {

// Improves the incumbent's best choice: keeps, of what still fits, what spares most run cost a byte, again and again;
// then does without each kept storage in turn and fills the room anew, as long as that helps. Looks at about
// `most_items` items in all, so that it ends in time on large problems, and ends where the incumbent's effort is spent.
void improve(const RecomputeProblem& problem, Incumbent& incumbent, std::int64_t most_items);

}  // namespace fxcut
