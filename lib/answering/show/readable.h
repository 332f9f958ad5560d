// A graph as GraphModule.print_readable has it in PyTorch: its code within a class, with dtype and shape of each value
// and where in the program it comes from; behind it the graphs that it refers to, as classes within.
//
//     class GraphModule(torch.nn.Module):
//         def forward(self, primals_1: "f32[64, 128]"):
//             # File: model.py:12 in forward
//             mul: "f32[64, 128]" = torch.ops.aten.mul.Tensor(primals_1, 2);  primals_1 = None
//
// The line of the program itself, which PyTorch shows behind "code:", is not carried by a graph's file. Source:
// _print_readable of torch/fx/graph_module.py, CodeGen of torch/fx/graph.py.
#pragma once

#include <string>

#include "graph/graph.h"
#include "json/document.h"
#include "show/graph_code.h"

namespace fxcut {

// The text of print_readable(print_output=False); `style.notes` is not looked at. `document` is what the graph was read
// from: what its nodes carry for the user stands there.
std::string readable_code(const JointGraph& joint, const Document& document, const CodeStyle& style);

}  // namespace fxcut
