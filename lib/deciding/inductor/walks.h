// How accesses walk memory in the loops of a kernel, in forms that compare equal where inductor considers them equal.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "graph/small_list.h"
#include "inductor/kernels.h"

namespace fxcut {

// The canonical form of an access: sizes and strides, without loops of size 1 and without innermost ones in which it does not
// move (dependencies.py, canonicalize; drop_unused_symbols).
using Walk = SmallList<std::pair<std::int64_t, std::int64_t>, 4>;

// The walk with these strides; empty if they are not for the loops.
std::optional<Walk> walk_of(const Extents& strides, const Loops& loops);

// The same with neighbours merged (MemoryDep.normalize), and with all loops in the order of their strides before that
// (normalize_with_stride_order).
Walk merged(const Walk& walk);
Walk merged_by_stride(Walk walk);

}  // namespace fxcut
