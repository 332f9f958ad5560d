#include "verify/overwritten.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classify/overwritten_results.h"
#include "verify/counted_memory.h"

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

std::vector<std::string_view> overwritten_names(const Graph& graph, const CopiesInPlace& copies) {
  std::vector<std::string_view> names;
  const std::vector<bool> found = find_overwritten_results(graph, copies);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (found[i]) names.push_back(graph.nodes[i].name);
  }
  return names;
}

}  // namespace

void find_overwritten(const Graph& joint, const Graph& forward, const Graph& backward, const CopiesInPlace& copies,
                      EvaluationContext& context) {
  if (std::ranges::find(copies.is_whole, true) == copies.is_whole.end()) return;
  NodesByName in_joint;
  for (std::size_t i = 0; i < joint.size(); ++i) in_joint.emplace(joint.nodes[i].name, i);
  for (const std::string_view name : overwritten_names(joint, copies)) context.overwritten[Run::Joint].insert(name);
  const auto find_on = [&](Run run, const Graph& side) {
    for (const std::string_view name : overwritten_names(side, copies_of_side(side, in_joint, copies))) {
      context.overwritten[run].insert(name);
      context.overwritten_on_sides.insert(in_joint.contains(name) ? name : name_without_suffix(name));
    }
  };
  find_on(Run::Forward, forward);
  find_on(Run::Backward, backward);
}

}  // namespace fxcut
