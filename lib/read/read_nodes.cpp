#include "read/read_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "read/read_meta.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

constexpr std::array<std::pair<std::string_view, Opcode>, 4> kOpcodes = {{
    {"placeholder", Opcode::Placeholder},
    {"call_function", Opcode::CallFunction},
    {"get_attr", Opcode::GetAttr},
    {"output", Opcode::Output},
}};

}  // namespace

Graph NodesReader::read(const JsonValue& owner) {
  Graph graph;
  const auto nodes = member(owner, "nodes");
  if (!nodes) {
    mistakes_.add(owner, "expected 'nodes', an array");
    return graph;
  }
  if (!expect(*nodes, Type::Array, "", mistakes_)) return graph;
  const NodeNames names = read_names(*nodes);
  graph.nodes.resize(nodes->size());
  graph.operators = operators_;
  std::size_t index = 0;
  for (const JsonValue json : *nodes) {
    read_node(json, names, node_id(index), graph.nodes[index]);
    ++index;
  }
  check_outputs(*nodes, graph);
  return graph;
}

NodeNames NodesReader::read_names(const JsonValue& nodes) {
  NodeNames names;
  std::size_t index = 0;
  for (const JsonValue json : nodes) {
    const NodeId id = node_id(index++);
    if (!json.is(Type::Object)) continue;  // a mistake, which read_node adds
    const auto name = member(json, "name");
    if (!name || !name->is(Type::String) || name->text().empty()) {
      mistakes_.add(json, "a node needs a 'name', a string that is not empty");
      continue;
    }
    const auto [first, is_new] = names.emplace(name->text(), id);
    if (!is_new) {
      mistakes_.add(
          *name, fmt::format("the name '{}' stands twice; first at /nodes/{}", name->text(), index_of(first->second)),
          "each node needs a name of its own");
    }
  }
  return names;
}

void NodesReader::read_node(const JsonValue& json, const NodeNames& names, NodeId id, Node& node) {
  static const auto kNoArguments = std::make_shared<const Arguments>();
  node.origin = json.ticket();
  node.arguments = kNoArguments;
  if (!expect(json, Type::Object, "", mistakes_)) return;
  if (const auto name = member(json, "name"); name && name->is(Type::String)) node.name = name->text();
  const auto op = member(json, "op");
  if (!op || !op->is(Type::String)) {
    mistakes_.add(json, node.name, "a node needs an 'op', a string", "");
    return;
  }
  const auto opcode =
      std::find_if(kOpcodes.begin(), kOpcodes.end(), [&](const auto& o) { return o.first == op->text(); });
  if (opcode == kOpcodes.end()) {
    mistakes_.add(*op, node.name, fmt::format("unknown op '{}'", op->text()),
                  "joint graphs have placeholder, call_function, get_attr and output");
    return;
  }
  node.opcode = opcode->second;
  read_fields(json, node);
  if (node.is_call() || node.is_output()) read_call(json, names, id, node);
  if (node.is_call()) {
    if (node.target.empty()) {
      mistakes_.add(json, node.name, "a call_function needs a 'target', such as \"aten.mm.default\"", "");
    }
    node.callee = &operators_->find(node.target);
    node.target.clear();  // the callee has it
  } else if (node.target.empty()) {
    node.target = node.is_output() ? "output" : node.name;
  }
}

void NodesReader::read_fields(const JsonValue& json, Node& node) {
  for (const JsonValue field : json) {
    const std::string_view key = field.key();
    if (key == "target") {
      if (const auto target = read_string(field, node.name, mistakes_)) node.target = *target;
    } else if (key == "val") {
      node.value = values_.read_val(field, node.name);
    } else if (key == "tensor_meta") {
      node.tensor_meta = values_.read_tensor_meta(field, node.name);
    } else if (key == "meta") {
      read_meta(field, node, mistakes_);
    }
  }
}

void NodesReader::read_call(const JsonValue& json, const NodeNames& names, NodeId id, Node& node) {
  ArgumentReader reader(names, *operators_, id, node.name, mistakes_);
  auto arguments = std::make_shared<Arguments>();
  const auto args = member(json, "args"), kwargs = member(json, "kwargs");
  if (args && expect(*args, Type::Array, node.name, mistakes_)) {
    arguments->positional.reserve(args->size());
    for (const JsonValue argument : *args) arguments->positional.push_back(reader.read(argument));
  }
  if (kwargs && expect(*kwargs, Type::Object, node.name, mistakes_)) {
    for (const JsonValue argument : *kwargs) arguments->keyword.emplace_back(argument.key(), reader.read(argument));
  }
  node.arguments = std::move(arguments);
  node.inputs = reader.take_inputs();
}

void NodesReader::check_outputs(const JsonValue& nodes, const Graph& graph) {
  std::size_t outputs = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!graph.nodes[i].is_output()) continue;
    ++outputs;
    if (outputs == 1 && i + 1 < graph.size() && !graph.nodes.back().is_output()) {
      mistakes_.add(nodes, graph.nodes[i].name, "the output node must be the last", "");
    }
  }
  if (outputs != 1) {
    mistakes_.add(nodes, fmt::format("expected exactly one output node, found {}",
                                     outputs == 0 ? "none" : std::to_string(outputs)));
  }
}

}  // namespace fxcut
