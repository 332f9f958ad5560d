// The names in one piece of generated code: torch.fx gives them out anew, so that no variable hides another, a function
// that is called, or a builtin of Python.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "graph/naming.h"

namespace fxcut {

class PythonNames {
 public:
  explicit PythonNames(const Graph& graph);

  // The variable that holds the node's value. Who is asked for first comes first.
  const std::string& variable(NodeId id);

  // How code calls it: "torch.ops.aten.mm.default" an operator, "math_ceil" a function from outside of torch.
  std::string function(const Operator& callee);

 private:
  const Graph& graph_;
  Namespace namespace_;
  std::vector<std::string> variables_;                      // by node; empty where not asked for yet
  std::unordered_map<std::string, std::string> functions_;  // by target, those that took a name
};

}  // namespace fxcut
