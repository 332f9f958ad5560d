// Statements of printed code as nodes of torch.fx; facts that the text lacks (storages, most tags) are still missing.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "python_text/annotation.h"
#include "python_text/graph_text.h"

namespace fxcut {

struct TextNode {
  std::string name;
  Opcode opcode = Opcode::CallFunction;
  std::string target;
  std::vector<PythonExpression> arguments;
  std::vector<PythonKeyword> keywords;
  std::optional<Value> value;  // by its annotation
  std::shared_ptr<const NodeComment> comment;
  std::string description;  // of a placeholder: "PlainAOTInput(idx=0)"
  TextPlace place;
};

struct NamedTextGraph;

struct TextGraph {
  std::vector<TextNode> nodes;                         // the last is the output
  std::unordered_map<std::string, std::size_t> index;  // of a node, by its name
  std::vector<std::string> output_descriptions;
  std::vector<NamedTextGraph> subgraphs;
};

struct NamedTextGraph {
  std::string name;
  TextGraph graph;
};

// The nodes of the statements. Throws Failure (BadInput) if a statement is not a node of a joint graph: a call of a method or
// module, a duplicate name.
TextGraph make_text_graph(GraphText text, std::string_view file, AnnotationReader& annotations);

}  // namespace fxcut
