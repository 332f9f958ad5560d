// A graph as Python, as GraphModule.code has it in PyTorch: a line a node, and behind the last use of a value its
// variable is freed.
//
//     def forward(self, primals_1, primals_2):
//         mm = torch.ops.aten.mm.default(primals_1, primals_2);  primals_2 = None
//         return (mm, primals_1)
//
// Source: CodeGen and _PyTreeCodeGen of torch/fx/graph.py, in 2.13 and 2.15.
#pragma once

#include <functional>
#include <string>

#include "graph/graph.h"

namespace fxcut {

// What stands beside the code of a node.
struct NodeNotes {
  std::function<std::string(const Node&)> annotation;  // behind its variable: ": \"f32[64, 128]\"" or nothing
  std::function<std::string(const Node&)> comment;     // on a line before it: "# File: ..."
};

struct CodeStyle {
  Release release = kNewestRelease;
  // The inputs as one list a kind and the outputs as a tree, as a joint graph fresh from its tracer has them.
  bool as_traced = false;
  const NodeNotes* notes = nullptr;  // none in GraphModule.code
};

// The text of GraphModule.code, which begins with empty lines and ends in four spaces. What the graph does not carry
// is left out: the annotation of a type, the default of an argument.
std::string graph_code(const Graph& graph, const CodeStyle& style);

}  // namespace fxcut
