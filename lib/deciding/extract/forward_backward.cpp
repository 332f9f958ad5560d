#include "extract/forward_backward.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "extract/symbol_bindings.h"
#include "system/at_once.h"

namespace fxcut {
namespace {

template <typename... Lists>
std::vector<NodeId> concatenate(const Lists&... lists) {
  std::vector<NodeId> all;
  (all.insert(all.end(), lists.begin(), lists.end()), ...);
  return all;
}

// By node: whether a planned side needs it as an input. A wait without users, which stays for its side effect, does not
// count as a use.
std::vector<bool> needed_inputs(const Graph& joint, const ExtractionPlan& plan) {
  std::vector<bool> used(joint.size(), false), needed(joint.size(), false);
  for (const OutputLeaf& leaf : plan.outputs) {
    if (leaf.node) used[index_of(*leaf.node)] = needed[index_of(*leaf.node)] = true;
  }
  for (auto id = plan.computed.rbegin(); id != plan.computed.rend(); ++id) {
    if (!plan.stays[index_of(*id)]) continue;
    const bool counts = !is_wait(joint[*id]) || used[index_of(*id)];
    plan.for_each_input(joint, *id, [&](NodeId input) {
      used[index_of(input)] = true;
      if (counts) needed[index_of(input)] = true;
    });
  }
  return needed;
}

// Sorts the saved nodes by kind.
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

// Backward states and the backward's seeds are not saved.
void drop_unused(const Graph& joint, const ExtractionPlan& backward, Crossing& crossing) {
  const std::vector<bool> needed = needed_inputs(joint, backward);
  for (auto* list : {&crossing.values, &crossing.opaques, &crossing.symbols}) {
    std::erase_if(*list, [&](NodeId id) {
      return !needed[index_of(id)] || is_backward_state(joint[id]) || is_backward_seed(joint[id]);
    });
  }
}

// An input with two roles would be two inputs of one name, which PyTorch refuses, too.
void require_one_role(const Graph& joint, const std::vector<NodeId>& inputs) {
  std::vector<bool> seen(joint.size(), false);
  for (const NodeId id : inputs) {
    const Node& node = joint[id];
    if (!seen[index_of(id)]) {
      seen[index_of(id)] = true;
      continue;
    }
    std::vector<std::string_view> roles;
    if (is_tangent(node)) roles.push_back("a gradient");
    if (is_backward_seed(node)) roles.push_back("a seed of the backward");
    if (is_backward_state(node)) roles.push_back("a backward state");
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("'{}' would be two inputs of the backward, of one name: it is {}", node.name,
                              fmt::join(roles, " and ")),
                  "let it be one only: 'tangents' in its target makes it a gradient, 'bwd_seed' or 'bwd_base_offset' a "
                  "seed, a value of the kind backward_state a backward state");
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
    return plan_extraction(joint, std::move(inputs), backward_outputs, Side::Backward);
  };
  const ExtractionPlan trial =
      plan_backward(concatenate(crossing.symbols, crossing.opaques, crossing.values, tangents, backward_seeds));
  drop_unused(graph, trial, crossing);
  crossing.symbols = bind_symbols(joint, crossing.symbols, concatenate(crossing.values, tangents));
  std::stable_partition(crossing.values.begin(), crossing.values.end(),
                        [&](NodeId id) { return !graph[id].meta.saved_without_version_check; });

  const std::vector<OutputLeaf> saved_outputs =
      as_outputs(concatenate(crossing.values, crossing.opaques, crossing.symbols));
  forward_outputs.insert(forward_outputs.end(), saved_outputs.begin(), saved_outputs.end());
  auto [forward, backward] = at_once(
      graph.size(), [&] { return plan_extraction(joint, roles.inputs, forward_outputs, Side::Forward); },
      [&] {
        std::vector<NodeId> inputs = concatenate(crossing.symbols, crossing.values, crossing.opaques, tangents,
                                                 backward_seeds, backward_states);
        require_one_role(graph, inputs);
        return plan_backward(std::move(inputs));
      });
  const std::size_t before_forward = roles.rebuilt_control_deps + trial.rebuilt.size();
  const std::size_t before_backward = before_forward + forward.rebuilt.size();
  return {std::move(forward), std::move(backward), std::move(crossing), before_forward, before_backward};
}

}  // namespace fxcut
