// The comments that torch.fx prints above the first of the nodes that they describe:
// "# ac_graph_id: 2 - PREFER_RECOMPUTE File: model.py:9 in forward, code: ...". With additional_meta=["nn_module_stack"],
// print_readable puts the modules before them: "# nn_module_stack: {'1': (\"L['self'].layers.0\", <class ...>)} # File: ...".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "python_text/python_expression.h"

namespace fxcut {

struct NodeComment {
  std::optional<PythonExpression> annotations;  // a dict: node.meta["custom"], long values cut off
  std::string recompute;                        // name of a CheckpointPolicy; empty if it has none
  std::string ac_graph_id;                      // decimal digits; empty if it has none
  std::string module;                           // path of the innermost, without its root; empty if it has none
  std::string source_file;                      // empty without a stack trace
  std::string source_line;                      // decimal digits
  std::string source_function;
};

// The content of a comment, without its #; nothing for other comments.
std::optional<NodeComment> read_node_comment(const PythonComment& comment, std::string_view file);

}  // namespace fxcut
