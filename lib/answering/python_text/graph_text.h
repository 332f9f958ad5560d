// The Python code that torch.fx prints of a graph, as a list of statements without their meaning: a class with a method
// `forward`, and a class within it for each nested graph.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "python_text/node_comment.h"
#include "python_text/python_expression.h"

namespace fxcut {

// A type after a name, as written between its quotes.
struct TextAnnotation {
  std::string text;
  TextPlace place;
};

// One line of the code: a parameter, or NAME: "TYPE" = VALUE.
struct TextStatement {
  std::string name;
  bool is_parameter = false;
  PythonExpression value;  // of a parameter, its name in the signature
  std::optional<TextAnnotation> annotation;
  std::shared_ptr<const NodeComment> comment;  // above it; null if there is none
  std::string description;                     // of a parameter: the comment after it
  TextPlace place;
};

struct GraphText {
  std::string name;                       // of the class
  std::vector<TextStatement> statements;  // parameters first
  PythonExpression returned;
  std::vector<std::string> output_descriptions;  // by item of `returned`; empty if the text has none
  TextPlace returned_at;
  std::vector<GraphText> nested;
};

// Reads the class that begins at the next token of `reader`, with the classes within. Throws Failure (BadInput) with line,
// column and the expected text.
GraphText read_graph_text(PythonReader& reader, std::string_view file);

}  // namespace fxcut
