// A graph as Python, as in PyTorch's GraphModule.code: a line for each node, and after the last use of a value its variable
// is freed.
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

// Additions to the code of a node.
struct NodeNotes {
  std::function<std::string(const Node&)> annotation;  // after its variable: ": \"f32[64, 128]\"" or empty
  std::function<std::string(const Node&)> comment;     // on a line before it: "# File: ..."
};

struct CodeStyle {
  Release release = kNewestRelease;
  // One list of inputs for each kind and the outputs as a tree, as in a joint graph directly from its tracer.
  bool as_traced = false;
  const NodeNotes* notes = nullptr;  // none in GraphModule.code
};

// The text of GraphModule.code, which begins with empty lines and ends in four spaces. Data that the graph does not have is
// left out: annotations of types, defaults of arguments.
std::string graph_code(const Graph& graph, const CodeStyle& style);

}  // namespace fxcut
