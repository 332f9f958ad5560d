// Checkpoint names: the user's names of values.
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
  NodeId value{0};   // the named value: the node that computes the memory that the naming node copies or views
};

// The operators of the setting naming_operators.
std::vector<std::string> naming_operators(const Settings& settings);

// Whether the node calls one of them.
bool is_naming(const Node& node, const std::vector<std::string>& naming_operators);

// By node, the node of the same value: the argument of a naming operator, the base of a view, the node whose memory it
// shares. The node itself if it computes something or is a view of a part only: a slice is a value of its own.
std::vector<NodeId> same_values(const Graph& graph, const std::vector<std::string>& naming_operators);

// By node, the owner of its memory, for parts, too: for a slice, the sliced value.
std::vector<NodeId> whole_values(const Graph& graph, const std::vector<NodeId>& same,
                                 const std::vector<std::string>& naming_operators);

// By node, the value that it is a copy of (aten.clone), else itself.
std::vector<NodeId> copied_values(const Graph& graph, const std::vector<NodeId>& same);

// All names in execution order: string arguments of naming operators (which return their first argument), and
// meta.checkpoint_name.
std::vector<NamedValue> find_names(const Graph& graph, const std::vector<NodeId>& same,
                                   const std::vector<std::string>& naming_operators);

}  // namespace fxcut
