#include "finish/rng_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "finish/random_pairs.h"
#include "finish/rng_wrappers.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

std::size_t last_placeholder(const Graph& graph) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].is_placeholder()) last = i;
  }
  return last;
}

// The new nodes of one random operator on one side. All names are created pair by pair before anything is rebuilt, in
// the order in which torch.fx would number them.
struct Plan {
  bool graph_safe;
  std::int64_t state_bytes;
  std::string input_target, input_name;  // the placeholder of the generator or its state; empty for none
  std::string wrapper_name;
  std::string state_name, result_name;   // the forward's items, unless graph-safe
  NodeId input = kNoNode;
};

using Plans = std::map<NodeId, Plan>;

Plans plan_forward(const std::vector<RandomPair>& pairs, Namespace& names) {
  Plans plans;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    Plan& plan = plans[pairs[p].forward];
    plan.graph_safe = pairs[p].graph_safe;
    plan.state_bytes = pairs[p].state_bytes;
    if (plan.graph_safe) {
      plan.input_target = fmt::format("fwd_rng_state_{}", p);
      plan.input_name = names.create(plan.input_target);
      plan.wrapper_name = names.create("graphsafe_run_with_rng_state");
    } else {
      plan.wrapper_name = names.create("run_and_save_rng_state");
      plan.state_name = names.create("getitem");
      plan.result_name = names.create("getitem");
    }
  }
  return plans;
}

Plans plan_backward(const std::vector<RandomPair>& pairs, Namespace& names) {
  Plans plans;
  std::size_t saved_states = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    Plan& plan = plans[pairs[p].backward];
    plan.graph_safe = pairs[p].graph_safe;
    plan.state_bytes = pairs[p].state_bytes;
    plan.input_target = plan.graph_safe ? fmt::format("bwd_rng_state_{}", p)
                                        : fmt::format("rng_state_output_{}", saved_states++);
    plan.input_name = names.create(plan.input_target);
    plan.wrapper_name = names.create(plan.graph_safe ? "graphsafe_run_with_rng_state" : "run_with_rng_state");
  }
  return plans;
}

// Adds the placeholders of all plans that are, or are not, graph-safe; plans are in execution order.
void add_inputs(Rebuild& rebuild, Plans& plans, bool graph_safe) {
  for (auto& [id, plan] : plans) {
    if (plan.graph_safe != graph_safe || plan.input_name.empty()) continue;
    Node input = make_placeholder(plan.input_target, plan.input_name);
    input.value = graph_safe ? generator_value() : state_value(plan.state_bytes);
    plan.input = rebuild.append(std::move(input));
  }
}

// The forward's output with the states inserted before its last `num_symbols` items.
Node return_states(Node output, const std::vector<NodeId>& states, std::size_t num_symbols, bool renames, Namespace& names) {
  if (states.empty() && !renames) return output;
  Arguments arguments = *output.arguments;
  std::vector<Argument>& items = arguments.positional.front().items;
  for (const NodeId state : states) {
    items.insert(items.end() - static_cast<std::ptrdiff_t>(num_symbols), reference_to_input(output.inputs.size()));
    output.inputs.push_back(state);
  }
  output.arguments = std::make_shared<const Arguments>(std::move(arguments));
  output.name = names.create("output");  // in torch.fx it is a new node
  return output;
}

// Runs the operator and splits its result from the generator's state before it; returns the state.
NodeId run_and_save(Rebuild& rebuild, NodeId id, const Plan& plan) {
  const Node wrapped = rebuild.translated(id);
  const NodeId both = rebuild.append(make_run_and_save(wrapped, plan.state_bytes, plan.wrapper_name));
  Node state = make_getitem(both, 0, plan.state_name);
  state.value = state_value(plan.state_bytes);
  const NodeId state_id = rebuild.append(std::move(state));
  Node result = make_getitem(both, 1, plan.result_name);
  result.value = wrapped.value;
  result.meta = wrapped.meta;
  result.provenance = wrapped.provenance;
  result.origin = wrapped.origin;
  rebuild.substitute(id, rebuild.append(std::move(result)));
  return state_id;
}

Graph wrap_forward(const Graph& graph, Plans plans, std::size_t num_symbols, bool renames_output, Namespace& names) {
  Rebuild rebuild(graph);
  std::vector<NodeId> states;
  const std::size_t last_input = last_placeholder(graph);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const NodeId id = node_id(i);
    const auto plan = plans.find(id);
    if (graph[id].is_output()) {
      rebuild.append(return_states(rebuild.translated(id), states, num_symbols, renames_output, names));
    } else if (plan == plans.end()) {
      rebuild.copy(id);
    } else if (plan->second.graph_safe) {
      const Node wrapped = rebuild.translated(id);
      rebuild.substitute(id, rebuild.append(make_graph_safe(wrapped, plan->second.input, plan->second.wrapper_name)));
    } else {
      states.push_back(run_and_save(rebuild, id, plan->second));
    }
    if (i == last_input) add_inputs(rebuild, plans, true);
  }
  return rebuild.take();
}

Graph wrap_backward(const Graph& graph, Plans plans, std::size_t first_tangent) {
  Rebuild rebuild(graph);
  const std::size_t last_input = last_placeholder(graph);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (i == first_tangent) add_inputs(rebuild, plans, false);
    const NodeId id = node_id(i);
    const auto found = plans.find(id);
    if (found == plans.end()) {
      rebuild.copy(id);
    } else {
      const Plan& plan = found->second;
      const Node wrapped = rebuild.translated(id);
      rebuild.substitute(id, rebuild.append(plan.graph_safe ? make_graph_safe(wrapped, plan.input, plan.wrapper_name)
                                                            : make_run_with(wrapped, plan.input, plan.wrapper_name)));
    }
    if (i == last_input) add_inputs(rebuild, plans, true);
  }
  return rebuild.take();
}

bool is_named_tangent(const Node& node) {
  return node.is_placeholder() && node.name.find("tangent") != std::string::npos;
}

bool is_of_step(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) { return node.meta.is_after_loss(); });
}

// The position of the states among the backward's placeholders: before the first whose name contains "tangent"; in a whole step,
// which has none, after the last.
std::size_t first_named_tangent(const GraphPair& graphs) {
  const auto& nodes = graphs.backward.nodes;
  const auto found = std::find_if(nodes.begin(), nodes.end(), is_named_tangent);
  if (found != nodes.end()) return static_cast<std::size_t>(found - nodes.begin());
  if (is_of_step(graphs.backward)) return last_placeholder(graphs.backward) + 1;
  const auto random = std::find_if(graphs.forward.nodes.begin(), graphs.forward.nodes.end(),
                                   [](const Node& node) { return is_random(node) && node.must_recompute(); });
  const Node& named = random != graphs.forward.nodes.end() ? *random : graphs.backward.output();
  throw Failure(
      ExitStatus::NoPartition,
      fmt::format("random operators such as '{}' are to be recomputed, but the backward has no gradient as an input: none "
                  "of its placeholders has 'tangent' in its name",
                  named.name),
      "name the gradients tangents_1, tangents_2, ...");
}

// The placeholders of the called subgraph for generators.
std::vector<const Node*> expected_generators(const Graph& graph, const Node& call,
                                             const std::map<std::string_view, const Subgraph*>& subgraphs,
                                             std::string_view prefix) {
  std::vector<const Node*> expected;
  if (!call.calls("higher_order.invoke_subgraph") || call.inputs.empty()) return expected;
  const auto found = subgraphs.find(graph[call.inputs.front()].target);
  if (found == subgraphs.end()) return expected;
  for (const Node& node : found->second->graph.nodes) {
    if (node.is_placeholder() && node.name.find(prefix) != std::string::npos) expected.push_back(&node);
  }
  return expected;
}

// The call with more inputs. Like PyTorch's, it is a new node with a new name.
Node extend(Node call, const std::vector<NodeId>& generators, std::string name) {
  auto arguments = std::make_shared<Arguments>(*call.arguments);
  for (const NodeId generator : generators) {
    arguments->positional.push_back(reference_to_input(call.inputs.size()));
    call.inputs.push_back(generator);
  }
  call.arguments = std::move(arguments);
  call.name = std::move(name);
  return call;
}

}  // namespace

bool can_save_random_states(const Graph& joint) {
  return std::any_of(joint.nodes.begin(), joint.nodes.end(), [](const Node& node) {
    return node.meta.is_after_loss() || (is_tangent(node) && is_named_tangent(node));
  });
}

GraphPair functionalize_rng(const GraphPair& graphs, NamespacePair& names, RandomForm form, std::size_t num_symbols) {
  const std::vector<RandomPair> pairs = find_random_pairs(graphs.forward, graphs.backward, form.graph_safe);
  const std::size_t first_tangent = first_named_tangent(graphs);
  return {wrap_forward(graphs.forward, plan_forward(pairs, names.forward), num_symbols, form.renames_output, names.forward),
          wrap_backward(graphs.backward, plan_backward(pairs, names.backward), first_tangent)};
}

Graph pass_generators(Graph graph, const Subgraphs& subgraphs, std::string_view prefix, Namespace names) {
  std::map<std::string_view, const Subgraph*> by_name;
  for (const auto& [name, subgraph] : subgraphs) by_name.emplace(name, &subgraph);
  std::map<std::size_t, std::vector<const Node*>> expected;  // by call
  std::size_t last_input = graph.size();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].is_placeholder()) last_input = i;
    auto generators = expected_generators(graph, graph.nodes[i], by_name, prefix);
    if (!generators.empty()) expected.emplace(i, std::move(generators));
  }
  if (expected.empty() || last_input == graph.size()) return graph;

  Rebuild rebuild(graph);
  std::map<std::size_t, std::vector<NodeId>> passed;
  std::map<std::size_t, std::string> new_names;
  const auto add_placeholders = [&] {
    std::size_t count = 0;
    for (const auto& [call, generators] : expected) {
      for (const Node* generator : generators) {
        Node node = *generator;
        node.target = std::string(prefix) + "_" + std::to_string(count++);
        node.name = names.create(node.target);
        passed[call].push_back(rebuild.append(std::move(node)));
      }
      new_names[call] = names.create(graph.nodes[call].callee->base_name);
    }
  };
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const NodeId copy = rebuild.copy(node_id(i));
    if (const auto found = passed.find(i); found != passed.end()) {
      Node& node = rebuild.result()[copy];
      node = extend(std::move(node), found->second, new_names.at(i));
    }
    if (i == last_input) add_placeholders();
  }
  return rebuild.take();
}

}  // namespace fxcut
