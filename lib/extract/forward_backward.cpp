#include "extract/forward_backward.h"

#include <algorithm>
#include <set>
#include <utility>

#include "extract/symbol_bindings.h"

namespace fxcut {
namespace {

template <typename... Lists>
std::vector<NodeId> concatenate(const Lists&... lists) {
  std::vector<NodeId> all;
  (all.insert(all.end(), lists.begin(), lists.end()), ...);
  return all;
}

// What a planned side does with the values that it receives.
class SideUse {
 public:
  SideUse(const Graph& joint, const Users& users, const ExtractionPlan& plan) : joint_(joint), users_(users), plan_(plan) {
    for (const OutputLeaf& leaf : plan.outputs) {
      if (leaf.node) returned_.insert(*leaf.node);
    }
  }

  // Whether an input is needed: something takes it other than a wait_tensor that nobody takes. A backward state travels on
  // its own.
  bool needs(NodeId id) const {
    if (is_backward_state(joint_[id])) return false;
    return returned_.contains(id) || has_taker(id, [&](NodeId user) {
             return !joint_[user].calls("_c10d_functional.wait_tensor.default") || is_taken(user);
           });
  }

 private:
  template <typename Counts>
  bool has_taker(NodeId id, const Counts& counts) const {
    const auto users = users_.of(id);
    return std::any_of(users.begin(), users.end(), [&](NodeId user) { return plan_.computes(user) && counts(user); });
  }
  bool is_taken(NodeId id) const {
    return returned_.contains(id) || has_taker(id, [](NodeId) { return true; });
  }

  const Graph& joint_;
  const Users& users_;
  const ExtractionPlan& plan_;
  std::set<NodeId> returned_;
};

// Sorts the saved nodes by what they are.
Crossing sort_saved(const Graph& graph, const Users& users, const std::vector<NodeId>& saved) {
  Crossing sorted;
  for (const NodeId id : saved) {
    if (graph[id].has_symbol()) {
      if (!is_assert_only(graph, users, id)) sorted.symbols.push_back(id);
    } else if (is_opaque(graph[id])) {
      sorted.opaques.push_back(id);
    } else {
      sorted.values.push_back(id);
    }
  }
  return sorted;
}

void drop_unused(const SideUse& backward, Crossing& crossing) {
  for (auto* list : {&crossing.values, &crossing.opaques, &crossing.symbols}) {
    std::erase_if(*list, [&](NodeId id) { return !backward.needs(id); });
  }
}

std::vector<OutputLeaf> as_outputs(const std::vector<NodeId>& nodes) {
  std::vector<OutputLeaf> outputs;
  for (const NodeId id : nodes) outputs.push_back({id, nullptr});
  return outputs;
}

}  // namespace

ForwardBackward plan_forward_backward(const JointGraph& joint, const Users& users, const Roles& roles,
                                      const std::vector<NodeId>& saved) {
  const Graph& graph = joint.graph;
  const auto tangents = find_nodes(graph, is_tangent), backward_seeds = find_nodes(graph, is_backward_seed);
  const auto backward_states = find_nodes(graph, is_backward_state);
  std::vector<OutputLeaf> forward_outputs = output_leaves(graph);
  const auto border = forward_outputs.begin() + static_cast<std::ptrdiff_t>(joint.num_forward_outputs);
  const std::vector<OutputLeaf> backward_outputs(border, forward_outputs.end());
  forward_outputs.erase(border, forward_outputs.end());

  Crossing crossing = sort_saved(graph, users, saved);
  const auto plan_backward = [&](std::vector<NodeId> inputs) {
    return plan_extraction(graph, std::move(inputs), backward_outputs, Side::Backward);
  };
  const ExtractionPlan trial =
      plan_backward(concatenate(crossing.symbols, crossing.opaques, crossing.values, tangents, backward_seeds));
  drop_unused(SideUse(graph, users, trial), crossing);
  crossing.symbols = bind_symbols(joint, crossing.symbols, concatenate(crossing.values, tangents));
  std::stable_partition(crossing.values.begin(), crossing.values.end(),
                        [&](NodeId id) { return !graph[id].meta.saved_without_version_check; });

  const std::vector<OutputLeaf> saved_outputs =
      as_outputs(concatenate(crossing.values, crossing.opaques, crossing.symbols));
  forward_outputs.insert(forward_outputs.end(), saved_outputs.begin(), saved_outputs.end());
  ExtractionPlan forward = plan_extraction(graph, roles.inputs, forward_outputs, Side::Forward);
  ExtractionPlan backward = plan_backward(
      concatenate(crossing.symbols, crossing.values, crossing.opaques, tangents, backward_seeds, backward_states));
  return {std::move(forward), std::move(backward), std::move(crossing)};
}

}  // namespace fxcut
