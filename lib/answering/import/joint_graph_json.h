// An imported graph as JSON: format "fx-joint-graph", one node a line.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "import/annotation.h"
#include "import/text_graph.h"

namespace fxcut {

// What is said of a graph beside its nodes.
struct JointGraphHead {
  std::string name;
  std::string producer;  // empty where nobody knows
  std::size_t num_forward_outputs = 0;
  std::vector<std::string> static_inputs;
  std::string source;                                        // what was imported: "text", "trace", "export"
  std::vector<std::pair<std::string, std::string>> assumed;  // about what -> what
  std::vector<std::string> missing;                          // what neither the text says nor anybody has assumed
};

// The graph in JSON. Adds to `head.assumed` what is assumed on the way. Throws Failure (BadInput) where an argument is
// a name that stands for nothing, or of a form that no argument has.
std::string joint_graph_json(const TextGraph& graph, JointGraphHead& head, std::string_view file,
                             AnnotationReader& annotations);

}  // namespace fxcut
