// Symbols of sizes, and the nodes that give them a value.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The symbol that a node binds: it is a symbolic integer whose expression is that symbol alone, and a placeholder or
// data-dependent (PyTorch's is_symbol_binding_fx_node).
std::optional<std::string> bound_symbol(const JointGraph& joint, const Node& node);

// The saved symbolic numbers with those added that bind the symbols in the sizes and strides of what the backward takes:
// bindings first, then numbers derived from symbols. `saved` are the numbers that the cut saves, `inputs` the other
// values that the backward takes.
std::vector<NodeId> bind_symbols(const JointGraph& joint, const std::vector<NodeId>& saved,
                                 const std::vector<NodeId>& inputs);

}  // namespace fxcut
