// The Python code that torch.fx prints of a graph, as a list of statements: the code's own words, before anybody asks
// what they mean. What is printed is a class with a method `forward`, and one class within it for each nested graph.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "import/node_comment.h"
#include "import/python_expression.h"

namespace fxcut {

// A type behind a name, as written between its quotes.
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
  std::shared_ptr<const NodeComment> comment;  // null where none stands above it
  std::string description;                     // of a parameter: what the comment behind it says it is
  TextPlace place;
};

struct GraphText {
  std::string name;                       // of the class
  std::vector<TextStatement> statements;  // parameters first
  PythonExpression returned;
  std::vector<std::string> output_descriptions;  // by item of `returned`; empty where the text has none
  TextPlace returned_at;
  std::vector<GraphText> nested;
};

// Reads the class at which `reader` stands; it ends behind it and the classes within. Throws Failure (BadInput) with
// line, column and what was expected.
GraphText read_graph_text(PythonReader& reader, std::string_view file);

}  // namespace fxcut
