// Places in memory, by strides: through views, and as the loops of a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "inductor/kernels.h"
#include "inductor/strides.h"

namespace fxcut {

// The strides of a result whose loops run as its reads walk (ComputedBuffer.get_fill_order).
Extents strides_as_read(const Extents& shape, std::span<const Access> reads);

// A number for a place that the call `reader` makes of the place `before`.
std::uint64_t place_after(std::uint64_t before, NodeId reader);

// The buffer of `access`, loaded as often, at places that the call `reader` makes and that have no strides.
Access elsewhere(const Access& access, NodeId reader);

// `access` over the shape `from`, as the call, number `id`, reads it over `to`: backwards where it flips dimensions, else
// elsewhere.
Access indirect(const Access& access, NodeId id, const Node& call, const Extents& from, const Extents& to);

// `access` over the shape `from`, seen through the call `view`, whose result number `part` has the shape `to`. Through equal
// calls, equal accesses are equal.
Access through_view(const Access& access, const Node& view, std::uint32_t part, const Extents& from, const Extents& to);

// Whether a slice of the last dimension of a repeated tensor, or a scatter into one, begins where the tensor begins anew, so
// that it is at the places of the whole, as inductor's simplified index has it. `shape`: of what is sliced.
bool begins_anew(const Access& access, const Node& slice, const Extents& shape);

// `access` over the shape `from`, broadcast to `to`.
Access broadcast(const Access& access, NodeId reader, const Extents& from, const Extents& to);

// The loops over `outer` and `reduced` of a kernel with these accesses, in inductor's order (scheduler.py, pick_loop_order):
// neighbours that all accesses walk as one are merged.
Loops loops_of(const Extents& outer, const Extents& reduced, std::span<const Access> reads, const Extents& result_strides);

// The stride of the innermost loop of several elements; nothing if there is none, or the strides are not over these loops.
std::optional<std::int64_t> innermost_stride(const Extents& strides, const Loops& loops);

// An access in the form that equal ones share: sizes and strides, without loops of size 1 and without last ones in which it does
// not move (dependencies.py, canonicalize; drop_unused_symbols). Nothing if it has no strides for the loops.
using Walk = std::vector<std::pair<std::int64_t, std::int64_t>>;
std::optional<Walk> walk_of(const Access& access, const Loops& loops);

// The same with neighbours merged (MemoryDep.normalize), and with all loops in the order of their strides before that
// (normalize_with_stride_order).
Walk merged(const Walk& walk);
Walk merged_by_stride(Walk walk);

}  // namespace fxcut
