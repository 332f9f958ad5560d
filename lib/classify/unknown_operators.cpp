#include "classify/unknown_operators.h"

#include <set>

namespace fxcut {

std::vector<std::string> unknown_operators(const Graph& graph) {
  std::vector<std::string> unknown;
  std::set<const Operator*> seen;
  for (const Node& node : graph.nodes) {
    if (!node.is_call() || !node.callee->is_overload() || node.callee->known) continue;
    if (seen.insert(node.callee).second) unknown.push_back(node.callee->target);
  }
  return unknown;
}

}  // namespace fxcut
