// Memory accesses by strides: through views, and in the loops of a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "graph/strides.h"
#include "inductor/kernels.h"

namespace fxcut {

// The strides of a result whose loops follow the order of its reads (ComputedBuffer.get_fill_order).
Extents strides_as_read(const Extents& shape, std::span<const Access> reads);

// The number of the place to which the call `reader` maps the place `before`.
std::uint64_t place_after(std::uint64_t before, NodeId reader);

// An access to the same buffer, loaded as often, at places without strides that the call `reader` computes.
Access elsewhere(const Access& access, NodeId reader);

// `access` over the shape `from`, as the call, number `id`, reads it over `to`: backwards if it flips dimensions, otherwise at
// other places.
Access indirect(const Access& access, NodeId id, const Node& call, const Extents& from, const Extents& to);

// `access` over the shape `from`, seen through the call `view`, whose result number `part` has the shape `to`. Through equal
// calls, equal accesses are equal.
Access through_view(const Access& access, const Node& view, std::uint32_t part, const Extents& from, const Extents& to);

// `access` over loops of the sizes `from`, which become loops of the sizes `to` over as many elements. Equal accesses stay equal.
Access reindexed(const Access& access, const Extents& from, const Extents& to);

// Whether a slice of the last dimension of a repeated tensor, or a scatter into one, begins at a repetition, so that inductor's
// simplified index has it at the places of the whole. `shape`: of the sliced tensor.
bool begins_anew(const Access& access, const Node& slice, const Extents& shape);

// `access` over the shape `from`, as `reader` reads it broadcast to `to`.
void broadcast(Access& access, NodeId reader, const Extents& from, const Extents& to);

// The loops over `outer` and `reduced` of a kernel with these accesses, in inductor's order (scheduler.py, pick_loop_order);
// neighbours that all accesses walk as one are merged.
Loops loops_of(const Extents& outer, const Extents& reduced, std::span<const Access> reads, const Extents& result_strides);

// The stride of the innermost loop of several elements; nullopt if there is none, or the strides are not over these loops.
std::optional<std::int64_t> innermost_stride(const Extents& strides, const Loops& loops);

}  // namespace fxcut
