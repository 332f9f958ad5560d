// Saved values to forward and backward graph.
#pragma once

#include <vector>

#include "extract/extract_graph.h"
#include "extract/roles.h"
#include "graph/graph.h"

namespace fxcut {

// The nodes of the joint graph whose values cross, in the order in which the forward returns them after its own
// outputs.
struct Crossing {
  std::vector<NodeId> values;   // tensors; those without a version check last
  std::vector<NodeId> opaques;  // script objects and other opaque values
  std::vector<NodeId> symbols;  // symbolic numbers; those that bind a symbol first
};

struct ForwardBackward {
  ExtractionPlan forward;
  ExtractionPlan backward;
  Crossing crossing;
  // How many control_deps calls earlier extractions have rebuilt: they count in the names of subgraphs.
  std::size_t rebuilt_before_forward = 0;
  std::size_t rebuilt_before_backward = 0;
};

// Splits the joint graph between the forward and the backward that takes `saved` (PyTorch's _extract_fwd_bwd_modules).
// What the backward then does not use is dropped; symbols that its inputs' sizes need are added. The forward returns
// its outputs, then the values, opaques and symbols that cross; the backward takes the symbols, values and opaques,
// then the tangents, its seeds and the backward state. Throws Failure (NoPartition) where an output cannot be computed
// on its side.
ForwardBackward plan_forward_backward(const JointGraph& joint, const Users& users, const Roles& roles,
                                         const std::vector<NodeId>& saved);

}  // namespace fxcut
