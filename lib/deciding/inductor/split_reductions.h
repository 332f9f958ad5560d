// Reductions on a GPU: how they walk their inputs, and which are computed in two steps because one result per thread would leave
// most of the device idle (torch/_inductor/ir.py, Reduction.num_splits and create_multilayer; choices.py,
// reduction_split_factor).
//
// The first of two steps reduces parts of the elements into a buffer of its own, the second the results of the parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "inductor/accesses.h"
#include "inductor/kernels.h"

namespace fxcut {

struct Splitting {
  ReductionHint hint = ReductionHint::Default;
  std::int64_t parts = 1;  // 1: the reduction is one step
};

// For a reduction of dimensions `reduced` to `outer`; the reads have strides for `outer`, then for `reduced`.
Splitting splitting_of(const Extents& outer, const Extents& reduced, std::span<const Access> reads);

// How the second step walks the results of the first.
ReductionHint hint_of_second_step(const Splitting& splitting, std::int64_t outer_elements);

// `read` in the loops of the first step: over the outer dimensions, the parts, and the elements of a part.
Access read_in_parts(const Access& read, const Extents& outer, const Extents& reduced, std::int64_t parts);

}  // namespace fxcut
