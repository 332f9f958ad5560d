// The comments that torch.fx prints above the first of the nodes that they describe:
// "# ac_graph_id: 2 - PREFER_RECOMPUTE File: model.py:9 in forward, code: ...".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "import/python_expression.h"

namespace fxcut {

struct NodeComment {
  std::optional<PythonExpression> annotations;  // a dict: node.meta["custom"], long values cut off
  std::string recompute;                        // name of a CheckpointPolicy; empty if it has none
  std::string ac_graph_id;                      // decimal digits; empty if it has none
  std::string source_file;                      // empty without a stack trace
  std::string source_line;                      // decimal digits
  std::string source_function;
};

// The content of a comment, without its #; nothing for other comments.
std::optional<NodeComment> read_node_comment(const PythonComment& comment, std::string_view file);

}  // namespace fxcut
