// The loops of a kernel that reads or writes at indexed positions, and where in them it reads the indices
// (torch/_inductor/lowering.py, index_output_size_and_inner_fn, embedding and gather). Kernels that read the same indices share
// data, and so may be fused.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "inductor/accesses.h"

namespace fxcut {

// Loops over the broadcast dimensions of all indices: in place of the indexed dimensions, or before all others if the indexed
// ones are not adjacent.
struct Indexed {
  Extents shape, of_indices;
  std::size_t at = 0;  // where `of_indices` is within `shape`
};

// The indices of an index or index_put, by dimension of the indexed tensor; nullopt where a dimension has none.
std::vector<std::optional<NodeId>> indices_of(const Node& call);

// The loops of such a call.
Indexed indexed(const Graph& graph, const Node& call);

// `index` over the shape `from`, read in these loops of the call.
Access access_of_index(const Access& index, NodeId call, const Extents& from, const Indexed& loops);

// Whether the call reads its first input at positions given by its others, with the arguments that PyTorch gives it.
bool is_gather(const Graph& graph, const Node& call);

// The loops of such a call over `shape`, with one index of the shape `index`.
Indexed gathered(const Graph& graph, const Node& call, const Extents& shape, const Extents& index);

// `access` over the shape `from`, read by such a call, whose indices are read at known places. Calls that read at the same single
// index over the same loops share a place. `index`: that index's accesses over its shape; `loops`: the call's.
Access at_index(const Access& access, NodeId id, const Node& call, const Extents& from, const std::vector<Access>& index,
                const Indexed& loops);

}  // namespace fxcut
