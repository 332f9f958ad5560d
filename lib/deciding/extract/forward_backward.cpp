#include "extract/forward_backward.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "system/threads.h"

namespace fxcut {
namespace {

template <typename... Lists>
std::vector<NodeId> concatenate(const Lists&... lists) {
  std::vector<NodeId> all;
  (all.insert(all.end(), lists.begin(), lists.end()), ...);
  return all;
}

// For each node: whether a planned side needs it as an input. A wait without users, which stays for its side effect, does not
// count as a use.
std::vector<bool> needed_inputs(const JointGraph& whole, const ExtractionPlan& plan) {
  const Graph& joint = whole.graph;
  const bool heeds_dead_waits = whole.torch.release.has(Change::DeadWaitsAreNotUses);
  std::vector<bool> used(joint.size(), false), needed(joint.size(), false);
  for (const OutputLeaf& leaf : plan.outputs) {
    if (leaf.node) used[index_of(*leaf.node)] = needed[index_of(*leaf.node)] = true;
  }
  for (auto id = plan.computed.rbegin(); id != plan.computed.rend(); ++id) {
    if (!plan.stays[index_of(*id)]) continue;
    const bool counts = !heeds_dead_waits || !is_wait(joint[*id]) || used[index_of(*id)];
    plan.for_each_input(joint, *id, [&](NodeId input) {
      used[index_of(input)] = true;
      if (counts) needed[index_of(input)] = true;
    });
  }
  return needed;
}

// Whether the forward returns the value after the tensors.
bool goes_behind_tensors(const Node& node, Release release) {
  return release.has(Change::OpaqueValuesAreSaved) ? is_opaque(node)
                                                   : is_script_object(node) && release.has(Change::ScriptObjectsAreSaved);
}

// Sorts the saved nodes by kind.
Crossing sort_saved(const JointGraph& joint, const Users& users, const std::vector<NodeId>& saved) {
  const Graph& graph = joint.graph;
  const bool drops_asserted = joint.torch.release.has(Change::DefaultDropsAssertedBooleans);
  Crossing sorted;
  for (const NodeId id : saved) {
    if (graph[id].has_symbol()) {
      if (!drops_asserted || !is_assert_only(graph, users, id)) sorted.symbols.push_back(id);
    } else if (goes_behind_tensors(graph[id], joint.torch.release)) {
      sorted.opaques.push_back(id);
    } else {
      sorted.values.push_back(id);
    }
  }
  return sorted;
}

// Backward states and the backward's seeds are not saved.
void drop_unused(const JointGraph& whole, const ExtractionPlan& backward, Crossing& crossing) {
  const Graph& joint = whole.graph;
  const std::vector<bool> needed = needed_inputs(whole, backward);
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
                  fmt::format("'{}' would be two inputs of the backward with the same name: it is {}", node.name,
                              fmt::join(roles, " and ")),
                  "make it one of these only: 'tangents' in its target makes it a gradient, 'bwd_seed' or 'bwd_base_offset' a "
                  "seed, a value of the kind backward_state a backward state");
  }
}

std::vector<OutputLeaf> as_outputs(const std::vector<NodeId>& nodes) {
  std::vector<OutputLeaf> outputs;
  for (const NodeId id : nodes) outputs.push_back({id, nullptr});
  return outputs;
}

void collect_symbols(const Expression* expression, std::set<std::string>& symbols) {
  if (expression) symbols.insert(expression->symbols.begin(), expression->symbols.end());
}

bool uses_unreplaced(const JointGraph& joint) { return joint.torch.release.has(Change::SymbolsAreBoundUnreplaced); }

void collect_symbols(const Value& value, bool unreplaced, std::set<std::string>& symbols) {
  collect_symbols(value.expression.get(), symbols);
  if (unreplaced) collect_symbols(value.unreplaced.get(), symbols);
  for (const Size& size : value.tensor.shape) collect_symbols(size.expression.get(), symbols);
  for (const Size& stride : value.tensor.stride) collect_symbols(stride.expression.get(), symbols);
  for (const Value& item : value.items) collect_symbols(item, unreplaced, symbols);
}

// PyTorch looks for symbols in all saved values, and can do so only for the types that it expects there.
void require_known_sizes(const Node& node, const Value& value) {
  if (value.kind == Value::Kind::Other && value.type_name != "Generator") {
    throw Failure(
        ExitStatus::NoPartition,
        fmt::format("'{}' would cross to the backward, but its value is a {}, which cannot be saved", node.name,
                    value.type_name),
        "remove its MUST_SAVE so that it is recomputed, or compute it in the graph instead of passing it as an input");
  }
  for (const Value& item : value.items) require_known_sizes(node, item);
}

// The symbol of a node's value if the value is nothing else.
const std::string* lone_symbol(const Node& node, bool unreplaced) {
  if (!node.value || node.value->kind != Value::Kind::SymInt) return nullptr;
  const bool was_another = unreplaced && node.value->unreplaced;
  const Expression& expression = was_another ? *node.value->unreplaced : *node.value->expression;
  return expression.is_symbol() ? &expression.text : nullptr;
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

  Crossing crossing = sort_saved(joint, users, saved);
  const auto plan_backward = [&](std::vector<NodeId> inputs) {
    return plan_extraction(joint, std::move(inputs), backward_outputs, Side::Backward);
  };
  const ExtractionPlan trial =
      plan_backward(concatenate(crossing.symbols, crossing.opaques, crossing.values, tangents, backward_seeds));
  drop_unused(joint, trial, crossing);
  crossing.symbols = bind_symbols(joint, crossing.symbols, concatenate(crossing.values, tangents));
  if (joint.torch.release.has(Change::UncheckedValuesAreLast)) {
    std::stable_partition(crossing.values.begin(), crossing.values.end(),
                          [&](NodeId id) { return !graph[id].meta.saved_without_version_check; });
  }

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

std::map<NodeId, std::string> binding_nodes(const JointGraph& joint) {
  const bool binds_first = joint.torch.release.has(Change::SymbolsAreBoundWhereMade);
  const bool unreplaced = uses_unreplaced(joint), by_calls = joint.torch.release.has(Change::SymbolsOfCallsAreBound);
  std::map<NodeId, std::string> bindings;
  std::set<std::string> seen;  // in the values of the nodes so far
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    const Node& node = joint.graph.nodes[i];
    const std::string* symbol = lone_symbol(node, unreplaced);
    const bool binds = symbol && (node.is_placeholder() ||
                                  (by_calls && is_unbacked(joint, *symbol) && !(binds_first && seen.contains(*symbol))));
    if (binds) bindings.emplace(node_id(i), *symbol);
    if (binds_first && node.value) collect_symbols(*node.value, unreplaced, seen);
  }
  return bindings;
}

std::vector<NodeId> bind_symbols(const JointGraph& joint, const std::vector<NodeId>& saved,
                                 const std::vector<NodeId>& inputs) {
  std::vector<NodeId> binding, derived;
  std::set<std::string> bound;
  const std::map<NodeId, std::string> binders = binding_nodes(joint);
  for (const NodeId id : saved) {
    if (const auto found = binders.find(id); found != binders.end()) {
      bound.insert(found->second);
      binding.push_back(id);
    } else {
      derived.push_back(id);
    }
  }
  const bool takes_first = joint.torch.release.has(Change::SymbolsOfCallsAreBound);
  std::map<std::string, NodeId> bindings;  // the first of each symbol, or the last
  for (const auto& [id, symbol] : binders) {
    if (takes_first) bindings.emplace(symbol, id);
    else bindings.insert_or_assign(symbol, id);
  }
  std::vector<NodeId> crossing = derived;
  crossing.insert(crossing.end(), inputs.begin(), inputs.end());
  for (const NodeId id : crossing) {
    if (!joint.graph[id].value) continue;
    require_known_sizes(joint.graph[id], *joint.graph[id].value);
    std::set<std::string> symbols;
    collect_symbols(*joint.graph[id].value, uses_unreplaced(joint), symbols);
    for (const std::string& symbol : symbols) {  // by name
      const auto found = bindings.find(symbol);
      // PyTorch ignores a symbol that nothing binds, too.
      if (bound.insert(symbol).second && found != bindings.end()) binding.push_back(found->second);
    }
  }
  binding.insert(binding.end(), derived.begin(), derived.end());
  return binding;
}

}  // namespace fxcut
