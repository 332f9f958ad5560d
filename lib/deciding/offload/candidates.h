// The saved values that are offloaded.
#pragma once

#include <string_view>
#include <vector>

#include "extract/forward_backward.h"
#include "graph/graph.h"

namespace fxcut {

// Why a value that is marked should_offload stays on its device.
enum class OffloadRefusal {
  None,           // it is offloaded
  NotInForward,   // the forward does not compute it
  NotSaved,       // the backward does not take it
  ForwardOutput,  // the forward's caller may read it
  View,           // it shares its memory with another value
  Item,           // it is an item of a tuple
  NotContiguous,  // the copy would have other strides
  Overwritten,    // a copy would lack a write to its memory
  NotATensor,     // a symbolic size, for example, which a policy prefers to have on the host
};

// Its name in JSON ("forward_output"), and a sentence for the user.
std::string_view name_of(OffloadRefusal refusal);
std::string_view phrase_for(OffloadRefusal refusal);

struct OffloadCandidate {
  std::string name;       // of the value
  OffloadRefusal refusal = OffloadRefusal::None;
  OffloadRequest request = OffloadRequest::Marked;
  NodeId forward{0};      // its node in the forward; meaningless if it is not there
  // The name of the forward's copy in host memory and of the backward's placeholder; set by offload().
  std::string host_name;
};

// All nodes marked should_offload, in execution order, each with PyTorch's verdict (choose_offload_sets and
// can_offload); nodes marked by a policy may also be views, items, or not contiguous. Like PyTorch this includes static
// lifetime inputs: its check compares nodes of different graphs. Throws Failure (NoPartition) if contiguity depends on
// data.
std::vector<OffloadCandidate> find_offload_candidates(const Graph& forward, const JointGraph& joint);

}  // namespace fxcut
