#include "verify/overwritten.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classify/overwritten_results.h"

namespace fxcut {
namespace {

using NodesByName = std::unordered_map<std::string_view, std::size_t>;

// The side's copies, those alone that are whole writes of the joint graph.
CopiesInPlace copies_of_side(const Graph& side, const NodesByName& in_joint, const CopiesInPlace& of_joint) {
  CopiesInPlace copies = find_copies_in_place(side);
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (!copies.is_whole[i]) continue;
    const auto found = in_joint.find(side.nodes[i].name);
    copies.is_whole[i] = found != in_joint.end() && of_joint.is_whole[found->second] && !of_joint.is_idle[found->second] &&
                         !of_joint.writes_same[found->second];
  }
  return copies;
}

void for_each_overwritten(const Graph& graph, const CopiesInPlace& copies, const auto& visit) {
  const std::vector<bool> found = find_overwritten_results(graph, copies);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (found[i]) visit(graph.nodes[i]);
  }
}

// By storage the call that makes it.
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
  NodesByName in_joint;
  for (std::size_t i = 0; i < joint.size(); ++i) in_joint.emplace(joint.nodes[i].name, i);
  const auto makers = find_makers(joint);
  for_each_overwritten(joint, copies, [&](const Node& node) { context.overwritten[Run::Joint].insert(node.name); });
  const auto find_on = [&](Run run, const Graph& side) {
    for_each_overwritten(side, copies_of_side(side, in_joint, copies), [&](const Node& node) {
      context.overwritten[run].insert(node.name);
      const auto maker = makers.find(*node.storage());
      if (maker != makers.end()) context.overwritten_on_sides.insert(maker->second);
    });
  };
  find_on(Run::Forward, forward);
  find_on(Run::Backward, backward);
}

}  // namespace fxcut
