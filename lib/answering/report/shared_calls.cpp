#include "report/shared_calls.h"

#include <cstdint>
#include <utility>

#include "graph/text_map.h"

namespace fxcut {

std::vector<SharedCall> find_shared_calls(const Graph& joint, const GraphPair& graphs) {
  using Origins = std::pair<std::uint32_t, std::uint32_t>;  // in the forward and in the backward
  TextMap<std::uint32_t> forward;
  forward.reserve(graphs.forward.size());
  for (const Node& node : graphs.forward.nodes) {
    if (node.is_call()) forward.emplace(node.name, node.origin);
  }
  TextMap<Origins> both;
  for (const Node& node : graphs.backward.nodes) {
    const std::uint32_t* found = node.is_call() ? forward.find(node.name) : nullptr;
    if (found != nullptr) both.emplace(node.name, Origins{*found, node.origin});
  }
  std::vector<SharedCall> shared;
  for (std::size_t i = 0; i < joint.size(); ++i) {
    const Node& node = joint.nodes[i];
    const Origins* found = node.is_call() ? both.find(node.name) : nullptr;
    if (found != nullptr) shared.push_back({node_id(i), *found == Origins{node.origin, node.origin}});
  }
  return shared;
}

}  // namespace fxcut
