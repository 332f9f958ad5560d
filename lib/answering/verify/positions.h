// Whether what crosses by name would cross the same by position.
//
// PyTorch's runtime knows no names. Behind its own outputs the forward returns values, then symbolic numbers. The
// backward is handed the symbolic numbers, then the values, then what the step's caller has for it. A forward and a
// backward that have another order in mind run without a word, on other values than their names say.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/graph.h"
#include "verify/crossing.h"
#include "verify/mismatch.h"

namespace fxcut {

// `crossings` are all that the forward returns behind its first `num_forward_outputs`; `is_symbol` is by output of the
// forward. Adds the first input of the backward that the runtime hands something else, and how many more there are.
void check_positions(const Graph& forward, const Graph& backward, std::size_t num_forward_outputs,
                     const std::vector<CrossingValue>& crossings, const std::vector<bool>& is_symbol,
                     std::vector<Mismatch>& mismatches);

}  // namespace fxcut
