// Which of the saved values go to the host.
#pragma once

#include <string_view>
#include <vector>

#include "extract/forward_backward.h"
#include "graph/graph.h"

namespace fxcut {

// Why a value that is marked should_offload stays on its device.
enum class OffloadRefusal {
  None,           // it does not stay: it is offloaded
  NotInForward,   // the forward does not compute it
  NotSaved,       // the backward does not take it
  ForwardOutput,  // the caller of the forward gets it, and may look at it
  View,           // it shares its memory with another value
  Item,           // it was taken out of a tuple
  NotContiguous,  // the copy would have other strides
};

// A word for it ("forward_output"), and a sentence that tells the user.
std::string_view name_of(OffloadRefusal refusal);
std::string_view sentence_for(OffloadRefusal refusal);

struct OffloadCandidate {
  std::string name;       // of the value
  OffloadRefusal refusal = OffloadRefusal::None;
  OffloadRequest wish = OffloadRequest::Marked;
  NodeId forward{0};      // its node in the forward; meaningless where it is not in there
  // Of the forward's copy on the host, and of the backward's placeholder; filled in by offload().
  std::string host_name;
};

// All nodes that are marked should_offload, in execution order, each with PyTorch's verdict (choose_offload_sets and
// can_offload); what a policy marks may also be a view, an item, or not contiguous. Like PyTorch this does not spare
// static lifetime inputs: its check compares nodes of different graphs. Throws Failure (NoPartition) where whether a
// value is contiguous depends on data.
std::vector<OffloadCandidate> find_offload_candidates(const Graph& forward, const JointGraph& joint);

}  // namespace fxcut
