// fxcut explain: why nodes are saved, recomputed, or neither.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "explain/explanation.h"
#include "explain/alternative.h"

namespace fxcut {

struct Explained {
  ExplainedGraph graph;
  std::vector<NodeExplanation> nodes;
};

// Of the nodes of these names, in that order; a node that another one stands for is followed by that one. Throws
// Failure (Usage) that lists every name that the graph does not have; and as `partition` does.
Explained explain(const Question& question, const std::vector<std::string>& names);

// What a decision was made about.
ExplainedGraph describe_graph(const Decision& decision, const Settings& settings);

}  // namespace fxcut
