// Symbols of sizes, and the nodes that give them a value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The nodes that bind a symbol: their value is a symbolic integer, that symbol alone, and they are placeholders or
// data-dependent (PyTorch's is_symbol_binding_fx_node). In releases that bind a data-dependent symbol where it is made,
// only the first node whose value has the symbol binds it; where that is a tensor's size, none does. In releases that
// bind symbols unreplaced, a node's value is the symbol that it was before another, or a number, was put in its place.
std::map<NodeId, std::string> binding_nodes(const JointGraph& joint);

// The saved symbolic numbers with those added that bind the symbols in the sizes and strides of what the backward
// takes: bindings first, then numbers derived from symbols. `saved` are the numbers that the cut saves, `inputs` the
// other values that the backward takes. Throws Failure (NoPartition) where one of them is of a kind that PyTorch cannot
// save.
std::vector<NodeId> bind_symbols(const JointGraph& joint, const std::vector<NodeId>& saved,
                                 const std::vector<NodeId>& inputs);

}  // namespace fxcut
