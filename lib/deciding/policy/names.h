// Checkpoint names: what the user calls a value.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// One occurrence of a name.
struct NamedValue {
  std::string name;
  NodeId naming{0};  // the node that carries the name
  NodeId value{0};   // what it names: the node that computes the memory that the naming node copies or views
};

// The operators of the setting naming_operators.
std::vector<std::string> naming_operators(const Settings& settings);

// Whether the node calls one of them.
bool is_naming(const Node& node, const std::vector<std::string>& naming_operators);

// Who a node is the same value as: a naming operator's argument, what a view views, and what shares its memory. The
// node itself where it computes something, and where it views a part only: a slice is a value of its own. By node.
std::vector<NodeId> same_values(const Graph& graph, const std::vector<std::string>& naming_operators);

// Whose memory a node's value is in, parts included: of a slice, what it is a slice of. By node.
std::vector<NodeId> whole_values(const Graph& graph, const std::vector<NodeId>& same,
                                 const std::vector<std::string>& naming_operators);

// By node, the value that it is a copy of (aten.clone); itself where it is none.
std::vector<NodeId> copied_values(const Graph& graph, const std::vector<NodeId>& same);

// All names in execution order: those that naming operators, which return their first argument, carry as a string, and
// meta.checkpoint_name.
std::vector<NamedValue> find_names(const Graph& graph, const std::vector<NodeId>& same,
                                   const std::vector<std::string>& naming_operators);

}  // namespace fxcut
