// An imported graph as JSON: format "fx-joint-graph", one node a line.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "import/text_graph.h"
#include "python_text/annotation.h"

namespace fxcut {

// The members of a graph other than its nodes.
struct JointGraphHead {
  std::string name;
  std::string producer;  // empty if unknown
  std::string compiler;  // empty if unknown
  std::size_t num_forward_outputs = 0;
  std::vector<std::string> static_inputs;
  std::string source;                                        // the format of the file: "text", "trace", "export"
  std::vector<std::pair<std::string, std::string>> assumed;  // subject and assumption
  std::vector<std::string> missing;                          // members that are neither in the text nor assumed
};

// The graph in JSON. Adds further assumptions to `head.assumed`. Throws Failure (BadInput) if an argument is an unknown name or
// not a form of an argument.
std::string joint_graph_json(const TextGraph& graph, JointGraphHead& head, std::string_view file,
                             AnnotationReader& annotations);

}  // namespace fxcut
