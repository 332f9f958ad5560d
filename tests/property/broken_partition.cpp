#include "broken_partition.h"

#include <algorithm>
#include <array>

#include "graph/rebuild.h"

namespace fxcut {
namespace {

using Random = std::mt19937;
using Done = std::optional<std::string>;

std::size_t below(std::size_t end, Random& random) { return random() % end; }

// For each node, whether the graph's output depends on it.
std::vector<bool> find_needed(const Graph& graph) {
  std::vector<bool> needed(graph.size(), false);
  needed.back() = true;
  for (std::size_t i = graph.size(); i-- > 0;) {
    if (!needed[i]) continue;
    for (const NodeId input : graph.nodes[i].inputs) needed[index_of(input)] = true;
  }
  return needed;
}

// Whether a call is what it takes, so that nothing changes where it goes.
bool is_transparent(const Node& node) {
  constexpr std::array<std::string_view, 4> kTransparent = {"xla.name_tensor.default", "higher_order.control_deps",
                                                            "prims.device_put.default", "ao.wait_tensor.default"};
  return std::any_of(kTransparent.begin(), kTransparent.end(), [&](auto target) { return node.calls(target); });
}

// Whether two nodes may compute the same: equal calls that were not merged, and transparent calls.
bool may_be_equal(const Graph& graph, NodeId a, NodeId b) {
  if (a == b || is_transparent(graph[a]) || is_transparent(graph[b])) return true;
  if (!graph[a].is_call() || !graph[b].is_call() || graph[a].callee->target != graph[b].callee->target) return false;
  const auto &x = graph[a].inputs, &y = graph[b].inputs;
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [&](NodeId p, NodeId q) { return may_be_equal(graph, p, q); });
}

bool same_form(const Node& a, const Node& b) {
  if (!a.has_tensor() || !b.has_tensor() || a.value->tensor.dtype != b.value->tensor.dtype) return false;
  const auto &x = a.value->tensor.shape, &y = b.value->tensor.shape;
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const Size& p, const Size& q) { return p.hint == q.hint && !p.expression == !q.expression; });
}

// The calls of a side on which an output depends, from any one of them on.
std::vector<NodeId> needed_calls(const Graph& graph, Random& random) {
  const std::vector<bool> needed = find_needed(graph);
  std::vector<NodeId> calls;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (needed[i] && graph.nodes[i].is_call() && !is_transparent(graph.nodes[i])) calls.push_back(node_id(i));
  }
  std::shuffle(calls.begin(), calls.end(), random);
  return calls;
}

Graph& either_side(WrittenSides& sides, Random& random) {
  return (random() % 2 == 0 ? sides.forward : sides.backward).graph;
}

Done swap_arguments(WrittenSides& sides, Random& random) {
  Graph& graph = either_side(sides, random);
  for (const NodeId id : needed_calls(graph, random)) {
    std::vector<NodeId>& inputs = graph[id].inputs;
    for (std::size_t i = 1; i < inputs.size(); ++i) {
      if (may_be_equal(graph, inputs[i - 1], inputs[i])) continue;
      std::swap(inputs[i - 1], inputs[i]);
      return graph[id].name;
    }
  }
  return std::nullopt;
}

// The positions of saved values among the inputs of the forward's output node.
std::vector<std::size_t> saved_positions(const WrittenSides& sides) {
  std::vector<std::size_t> positions;
  const Graph& graph = sides.forward.graph;
  const std::vector<OutputLeaf> leaves = output_leaves(graph);
  std::size_t input = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (!leaves[i].node) continue;
    if (i >= sides.forward.num_forward_outputs) positions.push_back(input);
    ++input;
  }
  return positions;
}

// Another value of the same form in the place of a saved one that the backward needs.
Done replace_saved_value(WrittenSides& sides, Random& random) {
  Graph& graph = sides.forward.graph;
  const std::vector<bool> needed = find_needed(sides.backward.graph);
  std::vector<std::size_t> positions = saved_positions(sides);
  std::shuffle(positions.begin(), positions.end(), random);
  for (const std::size_t position : positions) {
    const NodeId saved = graph.nodes.back().inputs[position];
    const auto is_needed = [&](const Node& input) {
      return input.is_placeholder() && input.name == graph[saved].name &&
             needed[static_cast<std::size_t>(&input - sides.backward.graph.nodes.data())];
    };
    const auto& backward = sides.backward.graph.nodes;
    if (std::none_of(backward.begin(), backward.end(), is_needed)) continue;
    const std::size_t first = below(graph.size(), random);
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const NodeId other = node_id((first + i) % graph.size());
      if (!same_form(graph[saved], graph[other]) || may_be_equal(graph, saved, other)) continue;
      graph.nodes.back().inputs[position] = other;
      return graph[saved].name + " by " + graph[other].name;
    }
  }
  return std::nullopt;
}

// A call goes, and who took its value takes its first input.
Done drop_node(WrittenSides& sides, Random& random) {
  Graph& graph = either_side(sides, random);
  for (const NodeId id : needed_calls(graph, random)) {
    if (graph[id].inputs.empty()) continue;
    const std::string name = graph[id].name;
    Rebuild rebuild(graph);
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (node_id(i) == id) {
        rebuild.substitute(id, rebuild(graph[id].inputs.front()));
      } else {
        rebuild.copy(node_id(i));
      }
    }
    Graph without = rebuild.take();
    graph = std::move(without);
    return name;
  }
  return std::nullopt;
}

Done move_output(WrittenSides& sides, Random& random) {
  Graph& graph = either_side(sides, random);
  std::vector<NodeId>& outputs = graph.nodes.back().inputs;
  if (outputs.size() < 2) return std::nullopt;
  const std::size_t first = below(outputs.size(), random);
  for (std::size_t i = 1; i < outputs.size(); ++i) {
    const std::size_t other = (first + i) % outputs.size();
    if (may_be_equal(graph, outputs[first], outputs[other])) continue;
    std::swap(outputs[first], outputs[other]);
    return graph[outputs[first]].name + " and " + graph[outputs[other]].name;
  }
  return std::nullopt;
}

Done redirect_argument(WrittenSides& sides, Random& random) {
  Graph& graph = either_side(sides, random);
  for (const NodeId id : needed_calls(graph, random)) {
    for (NodeId& input : graph[id].inputs) {
      for (std::size_t i = 0; i < index_of(id); ++i) {
        if (!same_form(graph[input], graph.nodes[i]) || may_be_equal(graph, input, node_id(i))) continue;
        input = node_id(i);
        return graph[id].name + " takes " + graph.nodes[i].name;
      }
    }
  }
  return std::nullopt;
}

bool change_number(Argument& argument) {
  if (argument.kind == Argument::Kind::Int) return ++argument.integer != 0;
  if (argument.kind == Argument::Kind::Float) return (argument.real += 0.5) != 0;
  return std::any_of(argument.items.begin(), argument.items.end(), [](Argument& item) { return change_number(item); });
}

Done change_constant(WrittenSides& sides, Random& random) {
  Graph& graph = either_side(sides, random);
  for (const NodeId id : needed_calls(graph, random)) {
    auto arguments = std::make_shared<Arguments>(*graph[id].arguments);
    for (Argument& argument : arguments->positional) {
      if (!change_number(argument)) continue;
      graph[id].arguments = arguments;
      return graph[id].name;
    }
  }
  return std::nullopt;
}

Done change_operator(WrittenSides& sides, Random& random) {
  Graph& graph = either_side(sides, random);
  const std::vector<NodeId> calls = needed_calls(graph, random);
  for (const NodeId id : calls) {
    for (const NodeId other : calls) {
      if (graph[id].callee->target == graph[other].callee->target) continue;
      graph[id].callee = graph[other].callee;
      return graph[id].name + " calls " + graph[other].callee->target;
    }
  }
  return std::nullopt;
}

// Removes or doubles a write, or another call that is there only for its effect.
Done change_effect(WrittenSides& sides, Random& random) {
  Graph& graph = either_side(sides, random);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!graph.nodes[i].is_call() || !graph.nodes[i].callee->mutates) continue;
    const std::string name = graph.nodes[i].name;
    const bool twice = random() % 2 == 0;
    Rebuild rebuild(graph);
    for (std::size_t k = 0; k < graph.size(); ++k) {
      if (k == i && !twice) {
        rebuild.substitute(node_id(k), rebuild(graph.nodes[k].inputs.front()));
        continue;
      }
      rebuild.copy(node_id(k));
      if (k == i) rebuild.copy(node_id(k));
    }
    Graph changed = rebuild.take();
    graph = std::move(changed);
    return name + (twice ? " runs twice" : " is gone");
  }
  return std::nullopt;
}

// A random operator draws again, under no state.
Done draw_again(WrittenSides& sides, Random&) {
  for (Node& node : sides.backward.graph.nodes) {
    const bool has_state = node.calls("higher_order.run_with_rng_state");
    if (!has_state && !node.calls("higher_order.graphsafe_run_with_rng_state")) continue;
    auto arguments = std::make_shared<Arguments>(*node.arguments);
    auto& positional = arguments->positional;
    const auto op = positional.begin() + (has_state ? 1 : 0);
    node.callee = op->callee;
    positional.erase(positional.begin(), op + 1);
    std::erase_if(arguments->keyword, [](const auto& keyword) { return keyword.first == "rng_state"; });
    node.arguments = std::move(arguments);
    return node.name;
  }
  return std::nullopt;
}

// A value is used as it comes from the host.
Done forget_copy_back(WrittenSides& sides, Random&) {
  Graph& graph = sides.backward.graph;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!node.calls("prims.device_put.default") || !graph[node.inputs.front()].is_placeholder()) continue;
    const std::string name = node.name;
    Rebuild rebuild(graph);
    for (std::size_t k = 0; k < graph.size(); ++k) {
      if (k == i) {
        rebuild.substitute(node_id(k), rebuild(node.inputs.front()));
      } else {
        rebuild.copy(node_id(k));
      }
    }
    Graph changed = rebuild.take();
    graph = std::move(changed);
    return name;
  }
  return std::nullopt;
}

// The places of the figures that are counted again.
std::vector<std::string> figures(const nlohmann::json& report) {
  std::vector<std::string> places;
  const nlohmann::json flat = report.flatten();
  for (const auto& [place, value] : flat.items()) {
    constexpr std::array<std::string_view, 7> kCounted = {"/totals/",
                                                          "/memory/",
                                                          "/saved_values/",
                                                          "/saved_opaques/",
                                                          "/saved_symbols/",
                                                          "/recomputed_values/",
                                                          "/saved_random_states/"};
    constexpr std::array<std::string_view, 3> kNotCounted = {"/why/", "/source/", "/hint"};
    const auto begins = [&](std::string_view part) { return place.starts_with(part); };
    const auto holds = [&](std::string_view part) { return place.find(part) != std::string::npos; };
    if (!value.is_number() || std::none_of(kCounted.begin(), kCounted.end(), begins)) continue;
    if (std::none_of(kNotCounted.begin(), kNotCounted.end(), holds)) places.push_back(place);
  }
  return places;
}

Done change_figure(WrittenSides& sides, Random& random) {
  const std::vector<std::string> places = figures(sides.report);
  if (places.empty()) return std::nullopt;
  const std::string& place = places[below(places.size(), random)];
  nlohmann::json& figure = sides.report[nlohmann::json::json_pointer(place)];
  figure = figure.get<double>() + 1;
  return place;
}

Done leave_out_row(WrittenSides& sides, Random& random) {
  constexpr std::array<const char*, 3> kLists = {"saved_values", "recomputed_values", "saved_symbols"};
  nlohmann::json& rows = sides.report[kLists[below(kLists.size(), random)]];
  if (rows.empty()) return std::nullopt;
  const std::size_t row = below(rows.size(), random);
  const std::string name = rows[row]["name"];
  rows.erase(row);
  return name;
}

}  // namespace

JointGraph side_of(Graph graph, const Partition& made, const JointGraph& joint) {
  JointGraph side;
  side.graph = std::move(graph);
  side.subgraphs = made.subgraphs;
  side.num_forward_outputs = joint.num_forward_outputs;
  return side;
}

const std::vector<Breaking>& breakings() {
  static const std::vector<Breaking> all = {
      {"swaps two arguments of", swap_arguments},
      {"replaces the saved value", replace_saved_value},
      {"drops", drop_node},
      {"exchanges the outputs", move_output},
      {"redirects an argument:", redirect_argument},
      {"changes a constant of", change_constant},
      {"changes the operator:", change_operator},
      {"changes a write:", change_effect},
      {"draws again in", draw_again},
      {"uses what is on the host instead of", forget_copy_back},
      {"changes the figure", change_figure},
      {"leaves out the report's row of", leave_out_row},
  };
  return all;
}

}  // namespace fxcut
