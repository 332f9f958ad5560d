// Parameters that are kept in shards and gathered before they are used, as FSDP traces them with functional collectives:
//
//   shard -> (cast, padding) -> all_gather_into_tensor -> wait_tensor -> (cast, slice, view) -> used
//
// Saved for the backward, the gathered parameter takes the memory that the sharding saves. PyTorch's partitioner treats it as any
// value, and a collective as one not to be run twice; FSDP with reshard_after_forward gathers anew in the backward instead, which
// torchtitan's SimpleFSDP has by tags of MUST_RECOMPUTE on these nodes.
#pragma once

#include <vector>

#include "graph/graph.h"

namespace fxcut {

// For each node, whether it is a call on the way from a shard to the gathered parameter, or what merely moves its elements on:
// from static lifetime inputs alone, through views, casts, pads, concatenations and waits, to an all-gather and from it.
std::vector<bool> find_gathered_parameters(const Graph& graph);

}  // namespace fxcut
