// The comments that torch.fx prints above nodes: "# ac_graph_id: 2 - PREFER_RECOMPUTE File: model.py:9 in forward,
// code:
// ...". One stands above the first of the nodes that it holds for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "import/python_expression.h"

namespace fxcut {

struct NodeComment {
  std::optional<PythonExpression> annotations;  // a dict: node.meta["custom"], long values cut off
  std::string recompute;                        // name of a CheckpointPolicy; empty where it has none
  std::string ac_graph_id;                      // decimal digits; empty where it has none
  std::string source_file;                      // empty where there is no stack trace
  std::string source_line;                      // decimal digits
  std::string source_function;
};

// What a comment says, behind its #; nothing where it is no such comment.
std::optional<NodeComment> read_node_comment(const PythonComment& comment, std::string_view file);

}  // namespace fxcut
