// The loops of a kernel that reads or writes at computed places, and where in them it reads the indices
// (torch/_inductor/lowering.py, index_output_size_and_inner_fn, embedding and gather). Kernels that read the same indices share
// data, and so may be fused.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "inductor/accesses.h"

namespace fxcut {

// Over the dimensions of all indices, as one is broadcast to another, in the place of those that they are for, or before all if
// others are between these.
struct Indexed {
  Extents shape, of_indices;
  std::size_t at = 0;  // where `of_indices` is within `shape`
};

// The indices of an index or index_put, by dimension of what is read or written; nothing where a dimension has none.
std::vector<std::optional<NodeId>> indices_of(const Node& call);

// The loops of such a call.
Indexed indexed(const Graph& graph, const Node& call);

// `index` over the shape `from`, read in these loops of the call.
Access access_of_index(const Access& index, NodeId call, const Extents& from, const Indexed& loops);

// Whether the call reads its first input at the places that its others say, with the arguments that PyTorch gives it.
bool is_gather(const Graph& graph, const Node& call);

// The loops of such a call over `shape`, of which one index has the shape `index`.
Indexed gathered(const Graph& graph, const Node& call, const Extents& shape, const Extents& index);

// `access` over the shape `from`, read by such a call, whose indices are read at known places. At a single index, which runs over
// the same loops as that of another call, it is a place that both share. `index`: the accesses of that over its shape; `loops`:
// the call's.
Access at_index(const Access& access, NodeId id, const Node& call, const Extents& from, const std::vector<Access>& index,
                const Indexed& loops);

}  // namespace fxcut
