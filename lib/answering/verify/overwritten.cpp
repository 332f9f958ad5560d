#include "verify/overwritten.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classify/overwritten_results.h"
#include "graph/nodes_by_name.h"

namespace fxcut {
namespace {

void for_each(const Graph& graph, const std::vector<bool>& found, const auto& visit) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (found[i]) visit(graph.nodes[i]);
  }
}

// For each storage, the call that makes it.
std::unordered_map<std::int64_t, std::string_view> find_makers(const Graph& joint) {
  std::unordered_map<std::int64_t, std::string_view> makers;
  for (const Node& node : joint.nodes) {
    if (node.storage()) makers.emplace(*node.storage(), node.name);
  }
  return makers;
}

}  // namespace

void find_overwritten(const Graph& joint, const Graph& forward, const Graph& backward, const CopiesInPlace& copies,
                      EvaluationContext& context) {
  if (std::ranges::find(copies.is_whole, true) == copies.is_whole.end()) return;
  const NodesByName in_joint = nodes_by_name(joint);
  const auto original = [&](const Node& node) {
    const auto found = in_joint.find(node.name);
    return found == in_joint.end() ? std::nullopt : std::optional(found->second);
  };
  const auto makers = find_makers(joint);
  for_each(joint, find_overwritten_results(joint, copies),
           [&](const Node& node) { context.overwritten[Run::Joint].insert(node.name); });
  const auto find_on = [&](Run run, const Graph& side) {
    for_each(side, find_overwritten_on_side(side, copies, original), [&](const Node& node) {
      context.overwritten[run].insert(node.name);
      const auto maker = makers.find(*node.storage());
      if (maker != makers.end()) context.overwritten_on_sides.insert(maker->second);
    });
  };
  find_on(Run::Forward, forward);
  find_on(Run::Backward, backward);
}

}  // namespace fxcut
