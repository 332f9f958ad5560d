// The notation in which the tests write joint graphs, one node per line:
//
//     primals_1 = placeholder : f32[4, 4] static
//     sin = aten.sin.default(primals_1) : f32[4, 4]@2 recompute=MUST_SAVE ac_graph_id=1
//     sum = aten.sum.dim_IntList(sin, [-1], keepdim=True) : f32[4]
//     weight = get_attr weight
//     return sum | mul, None
//
// Arguments   nodes by their names, and Python's literals: 1, 1.5, inf, None, True, "text", [..], (..), {"key": ..};
//             slice(0, 4, 1), complex(1, 2), dtype(float32), device(cuda:0), layout(..), memory_format(..), op(TARGET),
//             opaque(TYPE), sym(SIZE).
// Value       after a colon. f32[4, s0=16]{16, 1}@3 is a float32 tensor with these sizes and strides in storage 3; also
//             f16, f64, bf16, i32, i64, bool, and every other dtype by its full name. `on cuda:0` gives a device. Or
//             tuple(VALUE, ..), symint(SIZE), symfloat(SIZE), symbool(SIZE), none, scalar, backward_state, opaque,
//             other(TYPE). `was s1` after a tensor or symint(..) gives the symbols that stood there before they were replaced.
// Size        an integer, or an expression with or without a hint: s0=16, 2*s0=32, u0.
// Meta        words after that: KEY=WORD or KEY=JSON; `static` makes the input a static lifetime input;
//             tensor_meta=TENSOR stands in for a value.
// Result      nodes before the | in `return` are the forward's, the rest are gradients.
//
// A line that begins with a quote is a member of the document, such as "symbols": {..}. A # begins a comment.
//
// Graphs are written as JSON and read with read_joint_graph, so every test goes through the reader.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "releases.h"

namespace fxcut {

// The notation as a document of the form "fx-joint-graph".
std::string joint_json(std::string_view text);

// The notation as the reader reads it.
JointGraph joint_graph(std::string_view text);

// The same as a whole step, which has no outputs of its own for the backward.
JointGraph step_graph(std::string_view text);

// The line of a document (or of a subgraph's notation) that gives it subgraphs: each a name and its notation.
std::string subgraphs_line(const std::vector<std::pair<std::string, std::string>>& subgraphs);

// The line of a document with the PyTorch that made it; without one the newest release decides.
std::string made_by(Release release);

// A graph in the notation, without values and meta. Lines end in newlines.
std::string text_of(const Graph& graph);

// The names of a graph's nodes, separated by spaces.
std::string names_of(const Graph& graph);

// The node of that name. Throws InternalError if there is none.
const Node& node_named(const Graph& graph, std::string_view name);
NodeId id_named(const Graph& graph, std::string_view name);

}  // namespace fxcut
