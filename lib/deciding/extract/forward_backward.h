// From saved values to the forward and backward graph.
#pragma once

#include <vector>

#include "extract/extract_graph.h"
#include "extract/roles.h"
#include "graph/graph.h"

namespace fxcut {

// The saved nodes of the joint graph, in the order in which the forward returns them after its own outputs.
struct Crossing {
  std::vector<NodeId> values;   // tensors; those without a version check last
  std::vector<NodeId> opaques;  // script objects and other opaque values
  std::vector<NodeId> symbols;  // symbolic numbers; first those that bind a symbol
};

struct ForwardBackward {
  ExtractionPlan forward;
  ExtractionPlan backward;
  Crossing crossing;
  // The number of control_deps calls that earlier extractions rebuilt: they count in the names of subgraphs.
  std::size_t rebuilt_before_forward = 0;
  std::size_t rebuilt_before_backward = 0;
};

// Splits the joint graph between the forward and the backward that uses `saved` (PyTorch's _extract_fwd_bwd_modules).
// Saved values that the backward then does not use are dropped; symbols in the sizes of its inputs are added. The
// forward returns its outputs, then the saved values, opaques and symbols; the backward's inputs are the symbols,
// values and opaques, then the tangents, its seeds and the backward state. Throws Failure (NoPartition) if an output
// cannot be computed on its side.
ForwardBackward plan_forward_backward(const JointGraph& joint, const Users& users, const Roles& roles,
                                         const std::vector<NodeId>& saved);

}  // namespace fxcut
