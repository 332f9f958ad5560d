#include "classify/collectives.h"

#include <string>
#include <string_view>

#include "classify/purity.h"

namespace fxcut {
namespace {

bool is_form_of(const Operator& callee, std::string_view name) {
  return callee.is_collective() && callee.packet.starts_with("_c10d_functional." + std::string(name));
}

}  // namespace

bool is_all_gather(const Operator& callee) { return is_form_of(callee, "all_gather"); }
bool is_all_reduce(const Operator& callee) { return is_form_of(callee, "all_reduce"); }
bool is_reduce_scatter(const Operator& callee) { return is_form_of(callee, "reduce_scatter"); }

std::vector<NodeId> awaited_collectives(const Graph& graph, const Node& call) {
  std::vector<NodeId> awaited;
  if (!is_wait(call)) return awaited;
  for (NodeId id : call.inputs) {
    if (graph[id].calls("operator.getitem") && !graph[id].inputs.empty()) id = graph[id].inputs.front();  // of a coalesced one
    const Node& made_by = graph[id];
    const bool is_collective = made_by.is_call() && made_by.callee->is_collective() && !is_wait(made_by);
    if (!is_collective || is_all_reduce(*made_by.callee) || is_form_of(*made_by.callee, "broadcast")) continue;
    if (awaited.empty() || awaited.back() != id) awaited.push_back(id);
  }
  return awaited;
}

}  // namespace fxcut
