// From graphs to the notation, and the nodes of a name.
#include <fmt/format.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "graph_text/json.h"

namespace fxcut {
namespace {

std::string text_of(const Graph& graph, const Node& node, const Argument& argument);

std::string items_text(const Graph& graph, const Node& node, const std::vector<Argument>& items) {
  std::vector<std::string> texts;
  for (const Argument& item : items) texts.push_back(text_of(graph, node, item));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string text_of(const Graph& graph, const Node& node, const Argument& argument) {
  using Kind = Argument::Kind;
  switch (argument.kind) {
    case Kind::Node: return graph[node.inputs[argument.index]].name;
    case Kind::None: return "None";
    case Kind::Bool: return argument.integer != 0 ? "True" : "False";
    case Kind::Int: return std::to_string(argument.integer);
    case Kind::Float: return fmt::format("{:#}", argument.real);
    case Kind::Complex: return fmt::format("complex({}, {})", argument.real, argument.imaginary);
    case Kind::String: return notation::quoted(argument.text);
    case Kind::List: return fmt::format("[{}]", items_text(graph, node, argument.items));
    case Kind::Tuple: return fmt::format("({})", items_text(graph, node, argument.items));
    case Kind::Slice: return fmt::format("slice({})", items_text(graph, node, argument.items));
    case Kind::Dict:
      return fmt::format("{{{}: {}}}", fmt::join(argument.keys, "/"), items_text(graph, node, argument.items));
    case Kind::Operator: return fmt::format("op({})", argument.text);
    default: return argument.text;
  }
}

std::string text_of(const Graph& graph, const Node& node) {
  if (node.is_placeholder() && node.target == node.name) return fmt::format("{} = placeholder", node.name);
  if (node.is_placeholder()) return fmt::format("{} = placeholder {}", node.name, node.target);
  if (node.opcode == Opcode::GetAttr) return fmt::format("{} = get_attr {}", node.name, node.target);
  std::vector<std::string> arguments;
  for (const Argument& argument : node.arguments->positional) arguments.push_back(text_of(graph, node, argument));
  if (node.is_output()) return "return " + items_text(graph, node, node.arguments->positional.front().items);
  for (const auto& [key, argument] : node.arguments->keyword) {
    arguments.push_back(fmt::format("{}={}", key, text_of(graph, node, argument)));
  }
  return fmt::format("{} = {}({})", node.name, node.callee->target, fmt::join(arguments, ", "));
}

}  // namespace

std::string text_of(const Graph& graph) {
  std::string text;
  for (const Node& node : graph.nodes) text += text_of(graph, node) + "\n";
  return text;
}

std::string names_of(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes) names.push_back(node.name);
  return fmt::format("{}", fmt::join(names, " "));
}

NodeId id_named(const Graph& graph, std::string_view name) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].name == name) return node_id(i);
  }
  throw InternalError(fmt::format("no node is named {}", name));
}

const Node& node_named(const Graph& graph, std::string_view name) { return graph[id_named(graph, name)]; }

}  // namespace fxcut
