#include "pipeline.h"

#include <fmt/format.h>

#include "classify/roles.h"
#include "cost/storage.h"
#include "diagnostic/diagnostic.h"
#include "extract/forward_backward.h"
#include "finish/autograd_order.h"
#include "finish/getitems.h"
#include "finish/rng_state.h"
#include "finish/subgraph_rng.h"
#include "normalise/common_subexpressions.h"
#include "normalise/dead_code.h"
#include "policy/budget.h"
#include "policy/recompute_tags.h"
#include "solve/default_saved_values.h"
#include "solve/saved_values.h"

namespace fxcut {
namespace {

bool is_no_collective(const Node& node) { return !node.is_call() || !node.callee->is_collective(); }

// Where the backward computes no gradient PyTorch has its default partitioner decide.
SavedValues save_by_default(JointGraph joint, const Users& users) {
  if (has_recomputable_ops(joint.graph)) save_inputs_of_regions(joint.graph, users);
  SavedValues choice;
  choice.saved = default_saved_values(joint, users);
  return choice;
}

// PyTorch has no answer for a side without any input, and no caller a use.
void require_input(const Graph& graph, std::string_view side) {
  for (const Node& node : graph.nodes) {
    if (node.is_placeholder()) return;
  }
  throw Failure(ExitStatus::NoPartition, fmt::format("the {} takes no input: '{}' is all there is", side, graph.nodes.front().name),
                "a joint graph has at least one primal and one tangent that are used");
}

// Passes over the two graphs that change no decision.
GraphPair finish(const ForwardBackward& sides, const JointGraph& joint, const Settings& settings, bool wrap_random,
                 bool backward_is_empty) {
  NamespacePair names;
  if (wrap_random || !joint.subgraphs.empty()) {  // what may make new nodes
    names = {{joint.graph, copied_nodes(joint.graph, sides.forward)},
             {joint.graph, copied_nodes(joint.graph, sides.backward)}};
  }
  GraphPair graphs = {extract_graph(joint.graph, sides.forward), extract_graph(joint.graph, sides.backward)};
  if (backward_is_empty) {
    graphs = {eliminate_dead_code(std::move(graphs.forward), is_no_collective),
              eliminate_dead_code(std::move(graphs.backward), is_no_collective)};
  }
  if (wrap_random) {
    graphs = functionalize_rng(graphs, names, settings.graphsafe_rng_functionalization,
                               sides.crossing.symbols.size());
  }
  graphs.backward = order_like_autograd(std::move(graphs.backward));
  graphs = {raise_getitems(std::move(graphs.forward)), raise_getitems(std::move(graphs.backward))};
  require_input(graphs.forward, "forward");
  if (!backward_is_empty) require_input(graphs.backward, "backward");
  if (joint.subgraphs.empty()) return graphs;
  graphs.forward = pass_generators(std::move(graphs.forward), joint.subgraphs, "fwd_rng_state", names.forward);
  if (!backward_is_empty) {
    // The backward in its new order is a new graph to torch.fx, which knows of no names but those in it.
    const Namespace backward_names(graphs.backward);
    graphs.backward = pass_generators(std::move(graphs.backward), joint.subgraphs, "bwd_rng_state", backward_names);
  }
  return graphs;
}

}  // namespace

Partition partition(JointGraph joint, const Settings& settings) {
  const StorageBytes storages = storage_bytes(joint.graph);

  // Normalise: only what matters, each thing once.
  joint = eliminate_dead_code(std::move(joint));
  if (settings.cse) joint.graph = merge_common_subexpressions(std::move(joint.graph));

  // Policy: what the user's tags and the operators' nature force.
  const bool wrap_random = has_recomputable_rng_ops(joint.graph);
  joint.graph = resolve_recompute_tags(std::move(joint.graph), settings);

  // Classify: who needs what, and how far it is from the backward. From here on the joint graph does not change.
  const Users users(joint.graph);
  const Roles roles = classify(joint, users);
  const std::vector<std::int64_t> distance = distance_from_backward(joint.graph, users, roles);

  // Decide: the values to save.
  const Analysis analysis{joint, users, roles, distance, settings};
  const SavedValues choice = roles.backward_is_empty
                                 ? save_by_default(joint, users)
                                 : choose_saved_values(analysis, resolve_budget(joint, roles, settings));

  // Extract and finish: two graphs that run.
  const ForwardBackward sides = plan_forward_backward(joint, users, roles, choice.saved);
  GraphPair graphs = finish(sides, joint, settings, wrap_random, roles.backward_is_empty);

  Report report = make_report(joint, storages, settings, choice, sides.crossing, graphs);
  return {std::move(graphs), std::move(joint.subgraphs), std::move(report)};
}

}  // namespace fxcut
