// The network. Each node of the forward is an edge from its in- to its out-vertex; cutting it means saving the value, so
// its capacity is the cost of that. Infinite edges hold the rest together:
//
//     source -> x_in     x must not be recomputed: what computes it stays on the source's side
//     x_out  -> y_in     y takes x: who computes y has x
//     x_in   -> sink     the backward computes x: because only it can, or because the user wants that
//     x_out  -> sink     the backward returns x
//
// A node whose in-vertex is on the sink's side is (re)computed in the backward; one whose edge is cut is saved.
#include "solve/saved_values.h"

#include <fmt/format.h>

#include "diagnostic/diagnostic.h"
#include "solve/flow_network.h"

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

Vertex in_vertex(NodeId id) { return static_cast<Vertex>(2 * index_of(id)); }
Vertex out_vertex(NodeId id) { return in_vertex(id) + 1; }
NodeId node_of(Vertex vertex) { return node_id(vertex / 2); }

Tie tie_of(const Analysis& a, NodeId id) {
  const std::size_t i = index_of(id);
  if (a.roles.tangents_closure[i]) return Tie::ComputedInBackward;
  if (a.node(id).must_recompute()) return Tie::MustBeRecomputed;
  return a.roles.required_backward[i] ? Tie::NeededInBackward : Tie::None;
}

FlowNetwork build_network(const Analysis& a, const SavedValues& choice) {
  const std::size_t nodes = a.graph().size();
  FlowNetwork network;
  network.vertices = 2 * nodes + 2;
  network.source = static_cast<Vertex>(2 * nodes);
  network.sink = network.source + 1;
  network.edges.reserve(nodes * 4);
  const auto infinite = [&](Vertex from, Vertex to) { network.edges.push_back({from, to, 0, true}); };
  for (std::size_t i = 0; i < nodes; ++i) {
    const NodeId id = node_id(i);
    if (choice.bans[i] != Ban::None) infinite(network.source, in_vertex(id));
    if (a.node(id).is_output()) continue;
    const bool needed = a.roles.required_backward[i];
    if (choice.ties[i] == Tie::ComputedInBackward || choice.ties[i] == Tie::MustBeRecomputed) {
      infinite(in_vertex(id), network.sink);
      if (needed && choice.ties[i] == Tie::MustBeRecomputed) infinite(out_vertex(id), network.sink);
      continue;
    }
    if (needed) infinite(out_vertex(id), network.sink);
    const SavingCost& saving = choice.costs[i];
    network.edges.push_back({in_vertex(id), out_vertex(id), saving.cost, saving.unsavable != Unsavable::No});
    for (const NodeId user : a.users.of(id)) infinite(out_vertex(id), in_vertex(user));
  }
  return network;
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

std::string_view suggestion(const Analysis& a, const SavedValues& choice, const std::vector<Vertex>& path) {
  for (std::size_t p = 1; p + 1 < path.size(); ++p) {
    const std::size_t i = index_of(node_of(path[p]));
    if (choice.ties[i] == Tie::MustBeRecomputed) {
      return "drop the recompute tag of the last node above, or let the first be recomputed: tag it MUST_RECOMPUTE";
    }
    if (choice.costs[i].unsavable == Unsavable::View) return "set recompute_views to false, so that the view can be saved";
  }
  return choice.bans[index_of(node_of(path[1]))] == Ban::MustSave || a.node(node_of(path[1])).is_placeholder()
             ? "drop the MUST_SAVE tag of the first node above, or save what is taken out of it instead"
             : "let the first node above be recomputed: tag it MUST_RECOMPUTE or lift the ban named";
}

// What to say of a path of infinite edges: each node on it once, with all that ties it.
Failure no_finite_cut(const Analysis& a, const SavedValues& choice, const std::vector<Vertex>& path) {
  std::string text = "no partition: the backward needs a value that can neither be saved nor recomputed\n";
  text += "  the nodes in the way, from what cannot be recomputed to what the backward computes:";
  NodeId last{0xffffffff};
  for (std::size_t p = 1; p + 1 < path.size(); ++p) {
    const NodeId id = node_of(path[p]);
    const std::size_t i = index_of(id);
    if (id == last) continue;
    const bool is_first = p == 1, is_last = p + 2 == path.size() || (p + 3 == path.size() && node_of(path[p + 1]) == id);
    const bool passes_through = p + 2 < path.size() && node_of(path[p + 1]) == id;
    std::vector<std::string> ties;
    if (is_first) ties.push_back(fmt::format("cannot be recomputed: {}", phrase_for(choice.bans[i])));
    if (!is_first) ties.push_back(fmt::format("takes '{}'", a.node(last).name));
    if (passes_through) ties.push_back(fmt::format("cannot be saved: {}", phrase_for(choice.costs[i].unsavable)));
    if (is_last) ties.emplace_back(phrase_for(choice.ties[i]));
    const Node& node = a.node(id);
    text += fmt::format("\n    {} ({}): {}", node.name, node.is_call() ? node.callee->target : node.target,
                        fmt::join(ties, "; "));
    last = id;
  }
  return Failure(ExitStatus::NoPartition, std::move(text), std::string(suggestion(a, choice, path)));
}

// PyTorch has no answer either where nothing of the forward is given: then nothing need be saved, whatever is computed.
Failure nothing_given(const Analysis& a) {
  return Failure(ExitStatus::NoPartition,
                 fmt::format("nothing in the graph, from '{}' on, is kept from being recomputed: there is nothing to save",
                             a.graph().nodes.front().name),
                 "a joint graph has at least one primal that is not tagged to be recomputed");
}

void solve(const Analysis& a, const BanOptions& options, SavedValues& choice) {
  const std::size_t nodes = a.graph().size();
  Bans bans = ban_recomputation(a, options);
  if (bans.banned.empty()) throw nothing_given(a);
  choice.bans = std::move(bans.of);
  choice.costs = saving_costs(a);
  choice.ties.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i) choice.ties[i] = tie_of(a, node_id(i));
  const FlowNetwork network = build_network(a, choice);
  if (const std::vector<Vertex> path = infinite_path(network); !path.empty()) throw no_finite_cut(a, choice, path);
  const MinCut cut = solve_min_cut(network, a.settings.cut_side);
  choice.cuts.push_back({options, cut.value, count_touched_vertices(network), network.edges.size()});
  choice.saved.clear();
  for (const FlowEdge& edge : network.edges) {
    if (cut.on_sink_side[edge.from] || !cut.on_sink_side[edge.to]) continue;
    if (edge.infinite) throw InternalError("a minimum cut goes through an infinite edge");
    choice.saved.push_back(node_of(edge.from));
  }
}

}  // namespace

SavedValues choose_saved_values(const Analysis& analysis, double budget) {
  SavedValues choice;
  choice.budget = budget;
  if (budget == 0) {
    choice.saved = analysis.roles.inputs;
  } else {
    solve(analysis, ban_options(analysis.settings), choice);
  }
  return choice;
}

}  // namespace fxcut
