// Symbols of sizes, and the nodes that bind them to a value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

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
