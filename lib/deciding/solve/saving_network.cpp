#include "solve/saving_network.h"

namespace fxcut {

FlowNetwork saving_network(const Analysis& a, const NodeFacts& facts) {
  const std::size_t nodes = a.graph().size();
  FlowNetwork network;
  network.vertices = 2 * nodes + 2;
  network.source = static_cast<Vertex>(2 * nodes);
  network.sink = network.source + 1;
  network.edges.reserve(nodes * 4);
  const auto infinite = [&](Vertex from, Vertex to) { network.edges.push_back({from, to, 0, true}); };
  for (std::size_t i = 0; i < nodes; ++i) {
    const NodeId id = node_id(i);
    if (facts.bans[i] != Ban::None) infinite(network.source, in_vertex(id));
    if (a.node(id).is_output()) continue;
    const bool needed = a.roles.required_backward[i];
    const BackwardReason reason = facts.backward_reasons[i];
    if (reason == BackwardReason::ComputedInBackward || reason == BackwardReason::MustBeRecomputed) {
      infinite(in_vertex(id), network.sink);
      if (needed && reason == BackwardReason::MustBeRecomputed) infinite(out_vertex(id), network.sink);
      continue;
    }
    if (needed) infinite(out_vertex(id), network.sink);
    const SavingCost& saving = facts.costs[i];
    network.edges.push_back({in_vertex(id), out_vertex(id), saving.cost, saving.unsavable != Unsavable::No});
    for (const NodeId user : a.users.of(id)) infinite(out_vertex(id), in_vertex(user));
  }
  return network;
}

}  // namespace fxcut
