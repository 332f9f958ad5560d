#include "finish/rng_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "classify/operator_table.h"
#include "diagnostic/diagnostic.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

const Operator& wrapper(std::string_view name) {
  static const Operator run_and_save = make_operator("higher_order.run_and_save_rng_state");
  static const Operator run_with = make_operator("higher_order.run_with_rng_state");
  static const Operator graph_safe = make_operator("higher_order.graphsafe_run_with_rng_state");
  static const Operator getitem = make_operator("operator.getitem");
  for (const Operator* op : {&run_and_save, &run_with, &graph_safe, &getitem}) {
    if (op->base_name == name) return *op;
  }
  throw InternalError("no such wrapper: " + std::string(name));
}

// One random operator in both graphs.
struct RandomPair {
  NodeId forward;
  NodeId backward;
  std::string device;  // the first CUDA device among its values; empty for the CPU
  bool has_value = true;
};

bool is_cuda(const std::string& device) { return device == "cuda" || device.starts_with("cuda:"); }

std::string cuda_device(const Node& node) {
  if (!node.value) return {};
  if (node.value->is_tensor() && is_cuda(node.value->tensor.device)) return node.value->tensor.device;
  if (node.value->kind != Value::Kind::Tuple) return {};
  for (const Value& item : node.value->items) {
    if (item.is_tensor() && is_cuda(item.tensor.device)) return item.tensor.device;
  }
  return {};
}

bool is_random(const Node& node) { return node.is_call() && node.callee->is_overload() && node.callee->seeded_random; }

// The tagged random operators that both graphs have, in the order of the forward, which is that of the joint graph.
std::vector<RandomPair> find_pairs(const GraphPair& graphs) {
  std::unordered_map<std::string_view, NodeId> in_backward;
  for (std::size_t i = 0; i < graphs.backward.size(); ++i) {
    if (is_random(graphs.backward.nodes[i])) in_backward.emplace(graphs.backward.nodes[i].name, node_id(i));
  }
  std::vector<RandomPair> pairs;
  for (std::size_t i = 0; i < graphs.forward.size(); ++i) {
    const Node& node = graphs.forward.nodes[i];
    if (!is_random(node) || !node.must_recompute()) continue;
    const auto found = in_backward.find(node.name);
    if (found != in_backward.end()) {
      pairs.push_back({node_id(i), found->second, cuda_device(node), node.value != nullptr});
    }
  }
  return pairs;
}

// Several devices cannot be captured in one CUDA graph: then no operator takes the graph-safe form.
bool is_on_one_device(const std::vector<RandomPair>& pairs) {
  std::set<std::string> devices;  // a node of unknown value counts as a device of its own, as in PyTorch
  for (const RandomPair& pair : pairs) {
    if (!pair.has_value) devices.insert("?");
    if (!pair.device.empty()) devices.insert(pair.device);
  }
  return devices.size() <= 1;
}

Node make_placeholder(std::string name) {
  Node node;
  node.opcode = Opcode::Placeholder;
  node.target = name;
  node.name = std::move(name);
  node.arguments = std::make_shared<const Arguments>();
  return node;
}

// `wrapped` as a call of `op`: the operator itself goes before its arguments; `state` before that or as a keyword.
Node wrap(const Node& wrapped, const Operator& op, std::string name, NodeId state, bool state_is_keyword) {
  Node node;
  node.name = std::move(name);
  node.callee = &op;
  node.inputs = wrapped.inputs;
  auto arguments = std::make_shared<Arguments>(*wrapped.arguments);
  Argument target;
  target.kind = Argument::Kind::Operator;
  target.text = wrapped.callee->target;
  target.callee = wrapped.callee;
  arguments->positional.insert(arguments->positional.begin(), target);
  if (state != kNoNode) {
    Argument reference;
    reference.kind = Argument::Kind::Node;
    reference.index = static_cast<std::uint32_t>(node.inputs.size());
    node.inputs.push_back(state);
    if (state_is_keyword) {
      arguments->keyword.emplace_back("rng_state", reference);
    } else {
      arguments->positional.insert(arguments->positional.begin(), reference);
    }
  }
  node.arguments = std::move(arguments);
  return node;
}

Node make_getitem(NodeId of, std::int64_t position, std::string name) {
  Node node;
  node.callee = &wrapper("getitem");
  node.name = std::move(name);
  node.inputs = {of};
  auto arguments = std::make_shared<Arguments>();
  Argument tuple, key;
  tuple.kind = Argument::Kind::Node;
  key.kind = Argument::Kind::Int;
  key.integer = position;
  arguments->positional = {tuple, key};
  node.arguments = std::move(arguments);
  return node;
}

// What stands for one random operator in the graph that is being rebuilt.
struct Wrapping {
  bool graph_safe;
  NodeId state = kNoNode;        // the placeholder that brings the generator or its state
  std::string wrapper_name;
  std::string state_item_name, result_name;  // forward, unless graph-safe
};

using Wrappings = std::unordered_map<std::uint32_t, Wrapping>;

std::size_t last_placeholder(const Graph& graph) {
  std::size_t last = graph.size();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].is_placeholder()) last = i;
  }
  return last;
}

// The forward's output with the states put in front of the symbols.
void return_states(Rebuild& rebuild, NodeId output, const std::vector<NodeId>& states, std::size_t num_symbols,
                   Namespace& names) {
  Node node = rebuild.source()[output];
  for (NodeId& input : node.inputs) input = rebuild(input);
  if (!states.empty()) {
    auto arguments = std::make_shared<Arguments>(*node.arguments);
    std::vector<Argument>& items = arguments->positional.front().items;
    std::vector<Argument> references(states.size());
    for (std::size_t s = 0; s < states.size(); ++s) {
      references[s].kind = Argument::Kind::Node;
      references[s].index = static_cast<std::uint32_t>(node.inputs.size());
      node.inputs.push_back(states[s]);
    }
    items.insert(items.end() - static_cast<std::ptrdiff_t>(num_symbols), references.begin(), references.end());
    node.arguments = std::move(arguments);
    node.name = names.create("output");
  }
  rebuild.append(std::move(node));
}

Graph wrap_forward(const Graph& graph, const std::vector<RandomPair>& pairs, bool graph_safe, std::size_t num_symbols,
                   Namespace& names) {
  Rebuild rebuild(graph);
  Wrappings wrappings;
  std::vector<std::string> new_placeholders;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    Wrapping wrapping{.graph_safe = graph_safe && !pairs[p].device.empty(), .state = kNoNode, .wrapper_name = {},
                      .state_item_name = {}, .result_name = {}};
    if (wrapping.graph_safe) {
      new_placeholders.push_back(names.create("fwd_rng_state_" + std::to_string(p)));
      wrapping.wrapper_name = names.create("graphsafe_run_with_rng_state");
    } else {
      wrapping.wrapper_name = names.create("run_and_save_rng_state");
      wrapping.state_item_name = names.create("getitem");
      wrapping.result_name = names.create("getitem");
    }
    wrappings.emplace(static_cast<std::uint32_t>(pairs[p].forward), std::move(wrapping));
  }
  const std::size_t last_input = last_placeholder(graph);
  std::vector<NodeId> states;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const NodeId id = node_id(i);
    const auto found = wrappings.find(static_cast<std::uint32_t>(i));
    if (graph[id].is_output()) {
      return_states(rebuild, id, states, num_symbols, names);
    } else if (found == wrappings.end()) {
      rebuild.copy(id);
    } else {
      const Wrapping& wrapping = found->second;
      Node copied = graph[id];
      for (NodeId& input : copied.inputs) input = rebuild(input);
      const Operator& op = wrapper(wrapping.graph_safe ? "graphsafe_run_with_rng_state" : "run_and_save_rng_state");
      const NodeId call = rebuild.append(wrap(copied, op, wrapping.wrapper_name, wrapping.state, true));
      rebuild.substitute(id, call);
      if (!wrapping.graph_safe) {
        states.push_back(rebuild.append(make_getitem(call, 0, wrapping.state_item_name)));
        Node result = make_getitem(call, 1, wrapping.result_name);
        result.meta = copied.meta;
        result.value = copied.value;
        result.provenance = copied.provenance;
        result.origin = copied.origin;
        rebuild.substitute(id, rebuild.append(std::move(result)));
      }
    }
    if (i == last_input) {
      std::size_t next = 0;
      for (const RandomPair& pair : pairs) {
        Wrapping& wrapping = wrappings.at(static_cast<std::uint32_t>(pair.forward));
        if (wrapping.graph_safe) wrapping.state = rebuild.append(make_placeholder(new_placeholders[next++]));
      }
    }
  }
  return rebuild.take();
}

// Before which placeholder of the backward the states go: the first whose name has "tangent" in it.
std::size_t first_named_tangent(const GraphPair& graphs) {
  const auto& nodes = graphs.backward.nodes;
  const auto found = std::find_if(nodes.begin(), nodes.end(), [](const Node& node) {
    return node.is_placeholder() && node.name.find("tangent") != std::string::npos;
  });
  if (found != nodes.end()) return static_cast<std::size_t>(found - nodes.begin());
  const auto random = std::find_if(graphs.forward.nodes.begin(), graphs.forward.nodes.end(),
                                   [](const Node& node) { return is_random(node) && node.must_recompute(); });
  const Node& named = random != graphs.forward.nodes.end() ? *random : graphs.backward.output();
  throw Failure(ExitStatus::NoPartition,
                fmt::format("random operators such as '{}' are to be recomputed, but the backward takes no gradient: none "
                            "of its placeholders has 'tangent' in its name",
                            named.name),
                "name the gradients tangents_1, tangents_2, ...");
}

Graph wrap_backward(const Graph& graph, const std::vector<RandomPair>& pairs, bool graph_safe, std::size_t tangent_position,
                    Namespace& names) {
  Rebuild rebuild(graph);
  struct Ahead {
    Wrapping wrapping;
    std::string placeholder;
  };
  std::unordered_map<std::uint32_t, Ahead> wrappings;
  std::size_t saved_states = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const bool safe = graph_safe && !pairs[p].device.empty();
    Ahead ahead{{.graph_safe = safe, .state = kNoNode, .wrapper_name = {}, .state_item_name = {}, .result_name = {}}, {}};
    ahead.placeholder = names.create(safe ? "bwd_rng_state_" + std::to_string(p)
                                          : "rng_state_output_" + std::to_string(saved_states++));
    ahead.wrapping.wrapper_name = names.create(safe ? "graphsafe_run_with_rng_state" : "run_with_rng_state");
    wrappings.emplace(static_cast<std::uint32_t>(pairs[p].backward), std::move(ahead));
  }
  const auto add_placeholders = [&](bool safe) {
    for (const RandomPair& pair : pairs) {
      Ahead& ahead = wrappings.at(static_cast<std::uint32_t>(pair.backward));
      if (ahead.wrapping.graph_safe == safe) ahead.wrapping.state = rebuild.append(make_placeholder(ahead.placeholder));
    }
  };
  const std::size_t last_input = last_placeholder(graph);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (i == tangent_position) add_placeholders(false);
    const NodeId id = node_id(i);
    const auto found = wrappings.find(static_cast<std::uint32_t>(i));
    if (found == wrappings.end()) {
      rebuild.copy(id);
    } else {
      const Wrapping& wrapping = found->second.wrapping;
      Node copied = graph[id];
      for (NodeId& input : copied.inputs) input = rebuild(input);
      const Operator& op = wrapper(wrapping.graph_safe ? "graphsafe_run_with_rng_state" : "run_with_rng_state");
      rebuild.substitute(id, rebuild.append(wrap(copied, op, wrapping.wrapper_name, wrapping.state, wrapping.graph_safe)));
    }
    if (i == last_input) add_placeholders(true);
  }
  return rebuild.take();
}

}  // namespace

GraphPair functionalize_rng(const GraphPair& graphs, NamespacePair& names, bool graph_safe, std::size_t num_symbols) {
  const std::vector<RandomPair> pairs = find_pairs(graphs);
  const bool safe = graph_safe && is_on_one_device(pairs);
  return {wrap_forward(graphs.forward, pairs, safe, num_symbols, names.forward),
          wrap_backward(graphs.backward, pairs, safe, first_named_tangent(graphs), names.backward)};
}

}  // namespace fxcut
