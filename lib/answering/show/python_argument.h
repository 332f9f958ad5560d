// Arguments as Python text. torch.fx writes some of them differently in the code that it generates, where operators go
// by their path, than Python's repr() does, which its table shows.
#pragma once

#include <string>

#include "graph/argument.h"
#include "graph/graph.h"
#include "show/python_names.h"

namespace fxcut {

// As the code of a graph has them. `names` are those of that code.
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

// As repr() has them.
std::string argument_repr(const Graph& graph, const Node& owner, const Argument& argument);
std::string positional_repr(const Graph& graph, const Node& node);  // "(a, b)"
std::string keyword_repr(const Graph& graph, const Node& node);     // "{'dim': 0}"

// str() of what the node calls, refers to or is, as the table's column "target" has it. Addresses are left out.
std::string target_text(const Node& node);

}  // namespace fxcut
