#include "classify/unknown_operators.h"

#include <set>

namespace fxcut {
namespace {

struct Unknown {
  std::vector<std::string> targets;
  std::set<const Operator*> seen;
};

void collect(const Graph& graph, const Subgraphs& subgraphs, Unknown& unknown) {
  for (const Node& node : graph.nodes) {
    if (!node.is_call() || !node.callee->is_overload() || node.callee->known) continue;
    if (unknown.seen.insert(node.callee).second) unknown.targets.push_back(node.callee->target);
  }
  for (const auto& [name, subgraph] : subgraphs) collect(subgraph.graph, subgraph.subgraphs, unknown);
}

}  // namespace

std::vector<std::string> unknown_operators(const JointGraph& joint) {
  Unknown unknown;
  collect(joint.graph, joint.subgraphs, unknown);
  return std::move(unknown.targets);
}

}  // namespace fxcut
