#include "solve/saved_values.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "solve/conflict.h"
#include "solve/memory_budget.h"
#include "solve/saving_network.h"
#include "system/at_once.h"

namespace fxcut {

std::string_view phrase_for(Tie tie) {
  switch (tie) {
    case Tie::None: return "";
    case Tie::ComputedInBackward: return "computed in the backward: it depends on a gradient";
    case Tie::NeededInBackward: return "an output of the backward";
    case Tie::MustBeRecomputed: return "to be recomputed by its checkpoint policy";
  }
  return "";
}

namespace {

Tie tie_of(const Analysis& a, NodeId id) {
  const std::size_t i = index_of(id);
  if (a.roles.tangents_closure[i]) return Tie::ComputedInBackward;
  if (a.node(id).must_recompute()) return Tie::MustBeRecomputed;
  return a.roles.required_backward[i] ? Tie::NeededInBackward : Tie::None;
}

// How many vertices have an edge: a node that only the backward computes has no out-vertex, for one.
std::size_t count_touched_vertices(const FlowNetwork& network) {
  std::vector<bool> touched(network.vertices, false);
  std::size_t count = 0;
  for (const FlowEdge& edge : network.edges) {
    for (const Vertex v : {edge.from, edge.to}) {
      if (!touched[v]) ++count;
      touched[v] = true;
    }
  }
  return count;
}

// The nodes on a path of infinite edges from source to sink.
std::vector<ConflictStep> nodes_on(const std::vector<Vertex>& path) {
  std::vector<ConflictStep> steps;
  for (std::size_t p = 1; p + 1 < path.size(); ++p) {
    const NodeId id = node_of(path[p]);
    if (!steps.empty() && steps.back().node == id) {
      steps.back().passes_through = true;
    } else {
      steps.push_back({id, false});
    }
  }
  return steps;
}

// PyTorch has no answer either where nothing of the forward is given: then nothing need be saved, whatever is computed.
Failure nothing_given(const Analysis& a) {
  return Failure(
      ExitStatus::NoPartition,
      fmt::format("nothing in the graph, from '{}' on, is kept from being recomputed: there is nothing to save",
                  a.graph().nodes.front().name),
      "a joint graph has at least one primal that is not tagged to be recomputed");
}

Bans ban_some(const Analysis& a, const BanOptions& options, const std::vector<bool>& allowed) {
  Bans bans = ban_recomputation(a, options, allowed);
  if (bans.banned.empty()) throw nothing_given(a);
  return bans;
}

bool can_save_inputs(const Analysis& a) {
  if (!a.joint.torch.release.has(Change::ReplayedMutationsAreNotSaved)) return true;
  return std::none_of(a.roles.inputs.begin(), a.roles.inputs.end(),
                      [&](NodeId id) { return a.node(id).meta.replayed_mutation; });
}

}  // namespace

void solve_cut(const Analysis& a, const BanOptions& options, const std::vector<bool>& allowed, SavedValues& choice) {
  const std::size_t nodes = a.graph().size();
  auto [bans, costs] = at_once(nodes, [&] { return ban_some(a, options, allowed); }, [&] { return saving_costs(a); });
  choice.bans = std::move(bans.of);
  choice.banned = std::move(bans.banned);
  choice.costs = std::move(costs);
  choice.ties.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i) choice.ties[i] = tie_of(a, node_id(i));
  const FlowNetwork network = saving_network(a, choice);
  if (const std::vector<Vertex> path = infinite_path(network); !path.empty()) {
    throw conflict(a, choice, nodes_on(path));
  }
  const MinCut cut = solve_min_cut(network, a.settings.cut_side);
  choice.cuts.push_back({options, cut.value, count_touched_vertices(network), network.edges.size()});
  choice.saved.clear();
  choice.in_backward.assign(nodes, false);
  for (std::size_t i = 0; i < nodes; ++i) choice.in_backward[i] = cut.on_sink_side[out_vertex(node_id(i))];
  for (const FlowEdge& edge : network.edges) {
    if (cut.on_sink_side[edge.from] || !cut.on_sink_side[edge.to]) continue;
    if (edge.infinite) throw InternalError("a minimum cut goes through an infinite edge");
    choice.saved.push_back(node_of(edge.from));
  }
}

SavedValues choose_saved_values(const Analysis& analysis, double budget) {
  SavedValues choice;
  choice.budget = budget;
  if (budget == 0 && can_save_inputs(analysis)) {
    choice.saved = analysis.roles.inputs;
    choice.saves_inputs = true;
    return choice;
  }
  solve_cut(analysis, ban_options(analysis.settings), {}, choice);
  return budget == 1 ? choice : save_within_budget(analysis, budget, std::move(choice));
}

}  // namespace fxcut
