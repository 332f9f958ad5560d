#include "read/read_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace fxcut {
namespace {

using Type = JsonValue::Type;

bool refers_to_node(const Argument& argument) {
  return argument.kind == Argument::Kind::Node ||
         std::any_of(argument.items.begin(), argument.items.end(), refers_to_node);
}

// Whether one of the output's leaves, a slice, has a node in it: code that splits the graph would not see it.
bool hides_node(const Node& output) {
  bool hides = false;
  for (const Argument& returned : output.arguments->positional) {
    for_each_leaf(returned, [&](const Argument& leaf) {
      hides |= leaf.kind != Argument::Kind::Node && refers_to_node(leaf);
    });
  }
  return hides;
}

}  // namespace

Graph NodesReader::read(const JsonValue& owner) {
  Graph graph;
  const auto nodes = member(owner, "nodes");
  if (!nodes) {
    mistakes_.add(owner, "missing 'nodes', an array");
    return graph;
  }
  if (!expect(*nodes, Type::Array, "", mistakes_)) return graph;
  const NodeNames names = read_names(*nodes);
  graph.nodes.resize(nodes->size());
  graph.operators = operators_;
  std::size_t index = 0;
  for (const JsonValue json : *nodes) {
    node_.read(json, names, node_id(index), graph.nodes[index]);
    ++index;
  }
  check_outputs(*nodes, graph);
  return graph;
}

void NodesReader::append(const JsonValue& json, NodeNames& names, Graph& graph) {
  const NodeId id = node_id(graph.size());
  node_.read(json, names, id, graph.nodes.emplace_back());
  read_name(json, id, names);
}

NodeNames NodesReader::read_names(const JsonValue& nodes) {
  NodeNames names;
  names.reserve(nodes.size());
  std::size_t index = 0;
  for (const JsonValue json : nodes) read_name(json, node_id(index++), names);
  return names;
}

void NodesReader::read_name(const JsonValue& json, NodeId id, NodeNames& names) {
  if (!json.is(Type::Object)) return;  // a mistake, which NodeReader adds
  const auto name = member(json, "name");
  if (!name || !name->is(Type::String) || name->text().empty()) {
    mistakes_.add(json, "missing 'name', a string that is not empty");
    return;
  }
  const auto [first, is_new] = names.emplace(name->text(), id);
  if (is_new) return;
  mistakes_.add(
      *name, fmt::format("duplicate name '{}', first at /nodes/{}", name->text(), index_of(first)),
      "give each node its own name");
}

void NodesReader::check_outputs(const JsonValue& nodes, const Graph& graph) {
  std::size_t outputs = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!graph.nodes[i].is_output()) continue;
    ++outputs;
    if (outputs == 1 && i + 1 < graph.size() && !graph.nodes.back().is_output()) {
      mistakes_.add(nodes, graph.nodes[i].name, "the output node is not the last", "");
    }
    if (hides_node(graph.nodes[i])) {
      mistakes_.add(nodes, graph.nodes[i].name, "expected nodes and constants as outputs, found a slice of nodes",
                    "return the nodes themselves");
    }
  }
  if (outputs != 1) {
    mistakes_.add(nodes, fmt::format("expected exactly one output node, found {}",
                                     outputs == 0 ? "none" : std::to_string(outputs)));
  }
}

}  // namespace fxcut
