#include "classify/gathered_parameters.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "classify/collectives.h"
#include "classify/views_and_writes.h"

namespace fxcut {
namespace {

// Besides views and copies.
constexpr std::array<std::string_view, 3> kMoves = {"aten.constant_pad_nd", "aten.cat", "aten.split_with_sizes_copy"};

bool moves_elements(const Graph& graph, const Node& call) {
  return is_all_gather(*call.callee) || computes_nothing(graph, call) || copies_elements(call) ||
         std::ranges::find(kMoves, call.callee->packet) != kMoves.end();
}

}  // namespace

std::vector<bool> find_gathered_parameters(const Graph& graph) {
  std::vector<bool> is_of_parameters(graph.size(), false), is_gathered(graph.size(), false), is_to_gather(graph.size(), false);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    const auto of_any = [&](const std::vector<bool>& is_such) {
      return std::ranges::any_of(node.inputs, [&](NodeId input) { return bool(is_such[index_of(input)]); });
    };
    if (node.is_placeholder()) is_of_parameters[i] = node.meta.static_lifetime;
    if (!node.is_call() || node.inputs.empty() || !moves_elements(graph, node)) continue;
    is_of_parameters[i] =
        std::ranges::all_of(node.inputs, [&](NodeId input) { return bool(is_of_parameters[index_of(input)]); });
    is_gathered[i] = is_of_parameters[i] && (is_all_gather(*node.callee) || of_any(is_gathered));
  }
  for (std::size_t i = graph.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    if (!node.is_call() || !is_of_parameters[i] || !(is_to_gather[i] || is_all_gather(*node.callee))) continue;
    for (const NodeId input : node.inputs) is_to_gather[index_of(input)] = true;
  }
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (is_to_gather[i] && graph.nodes[i].is_call()) is_gathered[i] = true;
  }
  return is_gathered;
}

}  // namespace fxcut
