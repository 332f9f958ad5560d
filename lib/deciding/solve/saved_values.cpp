#include "solve/saved_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "diagnostic/diagnostic.h"
#include "solve/memory_budget.h"
#include "solve/saving_network.h"
#include "system/threads.h"

namespace fxcut {
namespace {

// The error for a value that the backward needs but that can neither be saved nor recomputed.

// One node on the path from a value that must not be recomputed to one that the backward computes.
struct ConflictStep {
  NodeId node;
  bool passes_through;  // the path goes on through its value, which cannot be saved
};

std::string describe(const Analysis& a, const NodeFacts& facts, const std::vector<ConflictStep>& path,
                     std::size_t s) {
  const NodeId id = path[s].node;
  const Node& node = a.node(id);
  std::vector<std::string> reasons;
  reasons.push_back(s == 0 ? fmt::format("cannot be recomputed: {}", phrase_for(facts.bans[index_of(id)]))
                           : fmt::format("takes '{}'", a.node(path[s - 1].node).name));
  if (path[s].passes_through) {
    reasons.push_back(fmt::format("cannot be saved: {}", phrase_for(facts.costs[index_of(id)].unsavable)));
  }
  if (s + 1 == path.size()) reasons.emplace_back(phrase_for(facts.backward_reasons[index_of(id)]));
  return fmt::format("\n    {} ({}): {}", node.name, node.is_call() ? node.callee->target : "placeholder",
                     fmt::join(reasons, "; "));
}

std::string suggest(const Analysis& a, const NodeFacts& facts, const std::vector<ConflictStep>& path) {
  const Node& first = a.node(path.front().node);
  const Node& last = a.node(path.back().node);
  const auto find_unsavable = [&](Unsavable why) -> const Node* {
    const auto found = std::find_if(path.begin(), path.end(), [&](const ConflictStep& step) {
      return step.passes_through && facts.costs[index_of(step.node)].unsavable == why;
    });
    return found == path.end() ? nullptr : &a.node(found->node);
  };
  if (const Node* view = find_unsavable(Unsavable::View)) {
    return fmt::format("set recompute_views to false, so that '{}' can be saved", view->name);
  }
  if (const Node* replayed = find_unsavable(Unsavable::Replayed)) {
    return fmt::format("clone '{}' in the forward before it is written to, and take the clone", replayed->name);
  }
  if (facts.backward_reasons[index_of(path.back().node)] == BackwardReason::MustBeRecomputed) {
    const std::string drop = fmt::format("drop the recompute tag of '{}'", last.name);
    return first.is_placeholder() ? drop : fmt::format("{}, or tag '{}' MUST_RECOMPUTE as well", drop, first.name);
  }
  if (first.is_placeholder()) return fmt::format("'{}' can be saved if it is a tensor: check its 'val'", first.name);
  if (facts.bans[index_of(path.front().node)] == Ban::MustSave) {
    return fmt::format("remove the MUST_SAVE tag of '{}', and tag its items instead", first.name);
  }
  return fmt::format("let '{}' be recomputed: tag it MUST_RECOMPUTE", first.name);
}

// A Failure (NoPartition) that names each node on the path (at least one), why it is there, and what to change.
Failure conflict(const Analysis& a, const NodeFacts& facts, const std::vector<ConflictStep>& path) {
  std::string text = "no partition: the backward needs a value that can neither be saved nor recomputed\n"
                     "  the nodes in the way, from what cannot be recomputed to what the backward computes:";
  for (std::size_t s = 0; s < path.size(); ++s) text += describe(a, facts, path, s);
  return Failure(ExitStatus::NoPartition, std::move(text), suggest(a, facts, path));
}

BackwardReason reason_in_backward(const Analysis& a, NodeId id) {
  const std::size_t i = index_of(id);
  if (a.roles.tangents_closure[i]) return BackwardReason::ComputedInBackward;
  if (a.node(id).must_recompute() && a.joint.torch.release.has(Change::TagsAreForced)) return BackwardReason::MustBeRecomputed;
  return a.roles.required_backward[i] ? BackwardReason::NeededInBackward : BackwardReason::None;
}

// The number of vertices with an edge: a node that only the backward computes has no out-vertex, for example.
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

// PyTorch has no answer either if no value of the forward is given: then no value need be saved.
Failure nothing_to_save(const Analysis& a) {
  return Failure(
      ExitStatus::NoPartition,
      fmt::format("nothing in the graph, from '{}' on, is kept from being recomputed: there is nothing to save",
                  a.graph().nodes.front().name),
      "a joint graph has at least one primal that is not tagged to be recomputed");
}

Bans ban_some(const Analysis& a, const BanOptions& options, const std::vector<bool>& allowed) {
  Bans bans = ban_recomputation(a, options, allowed);
  if (bans.banned.empty()) throw nothing_to_save(a);
  return bans;
}

bool can_save_inputs(const Analysis& a) {
  if (!a.joint.torch.release.has(Change::ReplayedMutationsAreNotSaved)) return true;
  return std::none_of(a.roles.inputs.begin(), a.roles.inputs.end(),
                      [&](NodeId id) { return a.node(id).meta.replayed_mutation; });
}

}  // namespace

std::string_view phrase_for(BackwardReason tie) {
  switch (tie) {
    case BackwardReason::None: return "";
    case BackwardReason::ComputedInBackward: return "computed in the backward: it depends on a gradient";
    case BackwardReason::NeededInBackward: return "an output of the backward";
    case BackwardReason::MustBeRecomputed: return "to be recomputed by its checkpoint policy";
  }
  return "";
}

Partitioner partitioner_of(const SavedValues& choice) {
  if (const auto* other = choice.decided_by<ByOther>()) return other->partitioner;
  return choice.decided_by<ByDefaultPartitioner>() ? Partitioner::Default : Partitioner::MinCut;
}

bool saves_inputs(const SavedValues& choice) {
  return choice.decided_by<ByZeroBudget>() || choice.decided_by<ByLackOfCandidates>();
}

Solved solved_by(const SavedValues& choice) {
  return std::visit(
      [](const auto& by) {
        if constexpr (requires { by.solved; }) return by.solved;
        return Solved{};
      },
      choice.by);
}

const NodeFacts* node_facts(const SavedValues& choice) {
  return std::visit(
      [](const auto& by) -> const NodeFacts* {
        if constexpr (requires { by.nodes; }) return &by.nodes;
        return nullptr;
      },
      choice.by);
}

std::vector<BackwardReason> find_backward_reasons(const Analysis& a) {
  std::vector<BackwardReason> backward_reasons(a.graph().size());
  for (std::size_t i = 0; i < backward_reasons.size(); ++i) backward_reasons[i] = reason_in_backward(a, node_id(i));
  return backward_reasons;
}

CutAnswer solve_cut(const Analysis& a, const BanOptions& options, const std::vector<bool>& allowed) {
  const std::size_t nodes = a.graph().size();
  auto [bans, costs] = at_once(nodes, [&] { return ban_some(a, options, allowed); }, [&] { return saving_costs(a); });
  CutAnswer answer{{.options = options},
                   {std::move(bans.of), std::move(costs), find_backward_reasons(a), std::vector<bool>(nodes, false)},
                   std::move(bans.banned),
                   {}};
  const FlowNetwork network = saving_network(a, answer.nodes);
  if (const std::vector<Vertex> path = infinite_path(network); !path.empty()) {
    throw conflict(a, answer.nodes, nodes_on(path));
  }
  const MinCut cut = solve_min_cut(network, a.settings.cut_side);
  answer.cut = {options, cut.value, count_touched_vertices(network), network.edges.size()};
  for (std::size_t i = 0; i < nodes; ++i) answer.nodes.in_backward[i] = cut.on_sink_side[out_vertex(node_id(i))];
  for (const FlowEdge& edge : network.edges) {
    if (cut.on_sink_side[edge.from] || !cut.on_sink_side[edge.to]) continue;
    if (edge.infinite) throw InternalError("a minimum cut goes through an infinite edge");
    answer.saved.push_back(node_of(edge.from));
  }
  return answer;
}

namespace {

SavedValues choose(const Analysis& analysis, double budget) {
  if (budget == 0 && can_save_inputs(analysis)) {
    return {.by = ByZeroBudget{}, .saved = analysis.roles.inputs, .budget = budget};
  }
  CutAnswer first = solve_cut(analysis, ban_options(analysis.settings));
  if (budget != 1) return save_within_budget(analysis, budget, std::move(first));
  return {.by = ByMinCut{{{first.cut}, {}}, std::move(first.nodes)}, .saved = std::move(first.saved)};
}

}  // namespace

SavedValues choose_saved_values(const Analysis& analysis, double budget) {
  SavedValues choice = choose(analysis, budget);
  const Release release = analysis.joint.torch.release;
  // Newer releases do this for both partitioners, when what is saved is sorted.
  if (release.has(Change::AssertedBooleansAreNotSaved) && !release.has(Change::DefaultDropsAssertedBooleans)) {
    std::erase_if(choice.saved, [&](NodeId id) { return is_assert_only(analysis.graph(), analysis.users, id); });
  }
  return choice;
}

}  // namespace fxcut
