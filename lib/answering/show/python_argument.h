// Arguments as Python text. Some are written differently in generated code of torch.fx, with operators by their path, than
// by Python's repr(), which its table uses.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/argument.h"
#include "graph/graph.h"
#include "graph/naming.h"

namespace fxcut {

// The names in a piece of generated code: torch.fx creates them again, so that no variable hides another, a called function,
// or a builtin of Python.
class PythonNames {
 public:
  explicit PythonNames(const Graph& graph);

  // The variable of the node's value. The first request gets the first number.
  const std::string& variable(NodeId id);

  // The function in a call: "torch.ops.aten.mm.default" for an operator, "math_ceil" for a function outside of torch.
  std::string function(const Operator& callee);

 private:
  const Graph& graph_;
  Namespace namespace_;
  std::vector<std::string> variables_;                      // by node; empty until requested
  std::unordered_map<std::string, std::string> functions_;  // by target: those with created names
};

// Arguments in the code of a graph. `names` are those of that code.
class CodeArguments {
 public:
  CodeArguments(PythonNames& names, Release release) : names_(names), release_(release) {}

  // `argument` of `owner`.
  std::string text(const Node& owner, const Argument& argument);
  // "a, b, keyword = c": all of them.
  std::string list(const Node& owner);

 private:
  PythonNames& names_;
  Release release_;
};

// Arguments as by repr().
std::string argument_repr(const Graph& graph, const Node& owner, const Argument& argument);
std::string positional_repr(const Graph& graph, const Node& node);  // "(a, b)"
std::string keyword_repr(const Graph& graph, const Node& node);     // "{'dim': 0}"

// The column "target" of the table: str() of the node's callee or target. Addresses are left out.
std::string target_text(const Node& node);

}  // namespace fxcut
