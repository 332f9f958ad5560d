#include "finish/finish.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "finish/execution_order.h"
#include "finish/recompute_barrier.h"
#include "finish/rng_state.h"
#include "graph/rebuild.h"
#include "normalise/dead_code.h"
#include "offload/offload.h"
#include "quantize/quantize_activations.h"
#include "policy/names.h"
#include "system/threads.h"

namespace fxcut {
namespace {

bool is_not_collective(const Node& node) { return !node.is_call() || !node.callee->is_collective(); }

// PyTorch refuses a side without inputs, too.
void require_input(const Graph& graph, std::string_view side) {
  for (const Node& node : graph.nodes) {
    if (node.is_placeholder()) return;
  }
  throw Failure(ExitStatus::NoPartition,
                fmt::format("the {} has no input: its only node is '{}'", side, graph.nodes.front().name),
                "a joint graph has at least one primal and one tangent that are used");
}

// The names that torch.fx has used on a side: those of the copied nodes, dead ones included, and of its new nodes.
Namespace used_names(const ExtractionPlan& plan, const Graph& side, const JointGraph& joint) {
  Namespace names(joint.graph, copied_nodes(joint.graph, plan), joint.torch.release);
  if (plan.rebuilt.empty()) return names;
  for (const Node& node : side.nodes) names.reserve(node.name);
  return names;
}

// A barrier must not have a name of the forward, because it would look like a recomputed node.
GraphPair with_barriers(GraphPair graphs, const std::string& barrier_operator, Namespace& names) {
  for (const Node& node : graphs.forward.nodes) {
    if (node.calls(barrier_operator)) names.reserve(node.name);
  }
  const std::vector<bool> recomputed = find_recomputed(graphs.forward, graphs.backward);
  graphs.backward = insert_barriers(std::move(graphs.backward), recomputed, barrier_operator, names);
  return graphs;
}

GraphPair extract_both(const ForwardBackward& sides, const JointGraph& joint) {
  auto [forward, backward] = at_once(
      joint.graph.size(), [&] { return extract_graph(joint, sides.forward, sides.rebuilt_before_forward); },
      [&] { return extract_graph(joint, sides.backward, sides.rebuilt_before_backward); });
  return {std::move(forward), std::move(backward)};
}

GraphPair raise_both(GraphPair graphs) {
  auto [forward, backward] = at_once(
      graphs.forward.size(), [&] { return raise_getitems(std::move(graphs.forward)); },
      [&] { return raise_getitems(std::move(graphs.backward)); });
  return {std::move(forward), std::move(backward)};
}

Subgraphs all_subgraphs(const ForwardBackward& sides, const JointGraph& joint) {
  auto subgraphs = joint.subgraphs;
  for (auto* side : {&sides.forward, &sides.backward}) {
    const std::size_t before = side == &sides.forward ? sides.rebuilt_before_forward : sides.rebuilt_before_backward;
    for (auto& rebuilt : rebuilt_subgraphs(joint, *side, before)) subgraphs.push_back(std::move(rebuilt));
  }
  return subgraphs;
}

}  // namespace

bool offloads(const Settings& settings, const FinishingNeeds& needs, Release release) {
  const bool may = needs.partitioner == Partitioner::MinCut || release.has(Change::DefaultOffloads);
  return (may && settings.enable_activation_offloading) || needs.policies_offload;
}

namespace {

// Whether the decision is of a default partitioner that only extracts the two graphs.
bool only_extracts(const FinishingNeeds& needs, Release release) {
  return needs.partitioner == Partitioner::Default && !release.has(Change::DefaultKeepsPlacement);
}

// Older releases look up every random call that is to be recomputed on both sides, and fail if one has lost it.
void require_random_calls(const Graph& joint, const GraphPair& graphs) {
  std::set<std::string_view> forward, backward;
  for (const Node& node : graphs.forward.nodes) forward.insert(node.name);
  for (const Node& node : graphs.backward.nodes) backward.insert(node.name);
  for (const Node& node : joint.nodes) {
    if (!node.must_recompute() || !is_random(node)) continue;
    const bool is_in_forward = forward.contains(node.name);
    if (is_in_forward && backward.contains(node.name)) continue;
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("'{}' draws random numbers and is to be recomputed, but the {} does not run it: this release of "
                              "PyTorch looks it up there",
                              node.name, is_in_forward ? "backward" : "forward"),
                  fmt::format("drop the recompute tag of '{}'", node.name));
  }
}

}  // namespace

namespace {

bool is_ordered_like_autograd(const FinishingNeeds& needs, Release release) {
  return !only_extracts(needs, release) && (needs.partitioner == Partitioner::MinCut || needs.has_regions);
}

Quantized compress(GraphPair graphs, const ForwardBackward& sides, const JointGraph& joint, NamespacePair& names,
                   const Settings& settings, const FinishingNeeds& needs) {
  if (needs.compresses) {
    const bool is_reordered = is_ordered_like_autograd(needs, joint.torch.release);
    const auto ordered_from = is_reordered ? first_use_of_tangent(graphs.backward) : std::nullopt;
    return compress_as_decided(std::move(graphs), sides.crossing, joint, ordered_from, names);
  }
  if (!settings.activation_quantization.is_on) return {std::move(graphs), {}};
  return quantize_activations(std::move(graphs), sides.crossing, joint, names, settings.activation_quantization);
}

}  // namespace

Graph drop_names(Graph backward, const std::vector<std::string>& naming_operators) {
  const auto names = [&](const Node& node) {
    return node_argument(node, 0) && is_naming(node, naming_operators);
  };
  if (std::none_of(backward.nodes.begin(), backward.nodes.end(), names)) return backward;
  Rebuild rebuild(backward);
  for (std::size_t i = 0; i < backward.size(); ++i) {
    const Node& node = backward.nodes[i];
    if (names(node)) {
      rebuild.substitute(node_id(i), rebuild(*node_argument(node, 0)));
    } else {
      rebuild.copy(node_id(i));
    }
  }
  return rebuild.take();
}

Ordered order(const ForwardBackward& sides, const JointGraph& joint, const Settings& settings,
              const FinishingNeeds& needs) {
  const Release release = joint.torch.release;
  const bool adds_nodes = needs.has_random_regions || offloads(settings, needs, release) || settings.recompute_barrier ||
                          !joint.subgraphs.empty() || !needs.again.empty() || needs.compresses ||
                          settings.activation_quantization.is_on;
  GraphPair graphs = extract_both(sides, joint);
  NamespacePair names;
  if (adds_nodes) {
    names = {used_names(sides.forward, graphs.forward, joint), used_names(sides.backward, graphs.backward, joint)};
  }
  auto [compressed, quantized] = compress(std::move(graphs), sides, joint, names, settings, needs);
  graphs = std::move(compressed);
  if (only_extracts(needs, release)) return {std::move(graphs), std::move(names), std::move(quantized)};
  if (needs.partitioner == Partitioner::Default) {
    graphs = {eliminate_dead_code(std::move(graphs.forward), is_not_collective),
              eliminate_dead_code(std::move(graphs.backward), is_not_collective)};
  }
  if (needs.has_random_regions) {
    if (!release.has(Change::DeadRandomPairsAreSkipped)) require_random_calls(joint.graph, graphs);
    const RandomForm form{settings.graphsafe_rng_functionalization, !release.has(Change::OutputIsKeptWithoutStates)};
    graphs = functionalize_rng(graphs, names, form, sides.crossing.symbols.size());
  }
  if (is_ordered_like_autograd(needs, release)) {
    const bool is_new_graph = first_use_of_tangent(graphs.backward).has_value();  // in torch.fx: with the names of its nodes only
    graphs.backward = order_like_autograd(std::move(graphs.backward), needs.effects, release.has(Change::CopiesAreKeptInOrder));
    if (is_new_graph && adds_nodes) names.backward = Namespace(graphs.backward, release);
  }
  return {std::move(graphs), std::move(names), std::move(quantized)};
}

Finished finish(Ordered ordered, const ForwardBackward& sides, const JointGraph& joint, const Settings& settings,
                const FinishingNeeds& needs) {
  auto [graphs, names, quantized] = std::move(ordered);
  if (needs.has_policies) graphs.backward = drop_names(std::move(graphs.backward), naming_operators(settings));
  if (settings.recompute_barrier) {
    graphs = with_barriers(std::move(graphs), settings.recompute_barrier_operator, names.backward);
  }
  std::vector<OffloadCandidate> candidates;
  const Release release = joint.torch.release;
  if (offloads(settings, needs, release)) {
    candidates = find_offload_candidates(graphs.forward, joint);
    graphs = offload(std::move(graphs), candidates, names, settings, release);
  }
  const bool is_finished = only_extracts(needs, release);
  if (!is_finished && release.has(Change::GetitemsAreRaised)) graphs = raise_both(std::move(graphs));
  std::vector<RunAgain> again = run_again(graphs.backward, joint.graph, needs.again, names.backward);
  require_input(graphs.forward, "forward");
  if (!needs.backward_is_empty) require_input(graphs.backward, "backward");
  if (joint.subgraphs.empty()) return {std::move(graphs), {}, std::move(candidates), std::move(quantized), std::move(again)};
  const bool passes_generators = !is_finished && release.has(Change::GeneratorsAreThreaded);
  if (passes_generators) {
    graphs.forward = pass_generators(std::move(graphs.forward), joint.subgraphs, "fwd_rng_state", names.forward);
  }
  if (passes_generators && !needs.backward_is_empty) {
    graphs.backward = pass_generators(std::move(graphs.backward), joint.subgraphs, "bwd_rng_state", names.backward);
  }
  return {std::move(graphs), all_subgraphs(sides, joint), std::move(candidates), std::move(quantized), std::move(again)};
}

}  // namespace fxcut
