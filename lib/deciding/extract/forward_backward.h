// From saved values to the forward and backward graph.
#pragma once

#include <map>
#include <string>
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

// The nodes that bind a symbol: their value is a symbolic integer, that symbol alone, and they are placeholders or
// data-dependent (PyTorch's is_symbol_binding_fx_node). In releases that bind a data-dependent symbol at its first
// value, only the first node whose value has the symbol binds it; if it has it in a tensor's size, none does. In
// releases that bind symbols unreplaced, a node's value is its original symbol, before a replacement by another symbol
// or a number.
std::map<NodeId, std::string> binding_nodes(const JointGraph& joint);

// The saved symbolic numbers and those that bind the symbols in the sizes and strides of the backward's inputs:
// bindings first, then numbers derived from symbols. `saved` are the numbers that the cut saves, `inputs` the other
// inputs of the backward. Throws Failure (NoPartition) if one of them is of a kind that PyTorch cannot save.
std::vector<NodeId> bind_symbols(const JointGraph& joint, const std::vector<NodeId>& saved,
                                 const std::vector<NodeId>& inputs);

}  // namespace fxcut
