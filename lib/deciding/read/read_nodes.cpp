#include "read/read_nodes.h"

#include <fmt/format.h>

#include <algorithm>

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

using Type = JsonValue::Type;

const Operator& NodeReader::find_operator(std::string_view target) {
  const auto known = known_operators_.find(target);
  if (known != known_operators_.end()) return *known->second;
  const Operator& found = operators_.find(target);
  known_operators_.emplace(found.target, &found);
  return found;
}

// One pass for all, since each pass reads the text of every key.
NodeReader::Fields::Fields(const JsonValue& node, MemberOrder& order) {
  using Known = std::pair<std::string_view, std::optional<JsonValue>*>;
  const Known known[MemberOrder::kMembers] = {{"name", &name}, {"op", &op}, {"target", &target}, {"args", &args},
                                              {"kwargs", &kwargs}, {"val", &val}, {"tensor_meta", &tensor_meta}, {"meta", &meta}};
  order.begin();
  for (const JsonValue field : node) {
    const auto found = std::ranges::find(known, field.key(), &Known::first);
    if (found == std::end(known)) continue;
    *found->second = field;
    order.add(static_cast<std::size_t>(found - known));
  }
}

void NodeReader::read(const JsonValue& json, const NodeNames& names, NodeId id, Node& node) {
  static const auto kNoArguments = std::make_shared<const Arguments>();
  node.origin = json.ticket();
  node.arguments = kNoArguments;
  if (!expect(json, Type::Object, "", mistakes_)) return;
  const Fields fields(json, order_);
  if (fields.name && fields.name->is(Type::String)) node.name = fields.name->text();
  const auto& op = fields.op;
  if (!op || !op->is(Type::String)) {
    mistakes_.add(json, node.name, "missing 'op', a string such as \"call_function\"", "");
    return;
  }
  const auto opcode =
      std::find_if(kOpcodes.begin(), kOpcodes.end(), [&](const auto& o) { return o.first == op->text(); });
  if (opcode == kOpcodes.end()) {
    mistakes_.add(*op, node.name, fmt::format("unknown op '{}'", op->text()),
                  "expected one of placeholder, call_function, get_attr, output");
    return;
  }
  node.opcode = opcode->second;
  std::string_view target;
  if (fields.target) target = read_string(*fields.target, node.name, mistakes_).value_or("");
  if (fields.val) node.value = values_.read_val(*fields.val, node.name);
  if (fields.tensor_meta) node.tensor_meta = values_.read_tensor_meta(*fields.tensor_meta, node.name);
  if (fields.meta) meta_.read(*fields.meta, node);
  if (node.is_call() || node.is_output()) read_call(fields, names, id, node);
  if (node.is_call()) {
    if (target.empty()) {
      mistakes_.add(json, node.name, "missing 'target', a string such as \"aten.mm.default\"", "");
    }
    node.callee = &find_operator(target);
  } else if (target.empty()) {
    node.target = node.is_output() ? "output" : node.name;
  } else {
    node.target = target;
  }
}

void NodeReader::read_call(const Fields& fields, const NodeNames& names, NodeId id, Node& node) {
  outline_.begin(names, id);
  if (fields.args) outline_.add_positional(*fields.args);
  if (fields.kwargs) outline_.add_keyword(*fields.kwargs);
  const auto known = shared_arguments_.find(outline_.text());
  if (known != shared_arguments_.end() && outline_.is_sound()) {
    node.arguments = known->second;
    node.inputs = outline_.inputs();
    return;
  }
  read_arguments(fields, names, id, node);
  if (mistakes_.empty()) shared_arguments_.emplace(outline_.text(), node.arguments);
}

void NodeReader::read_arguments(const Fields& fields, const NodeNames& names, NodeId id, Node& node) {
  const auto& args = fields.args;
  const auto& kwargs = fields.kwargs;
  ArgumentReader reader(names, operators_, id, node.name, mistakes_);
  auto arguments = std::make_shared<Arguments>();
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
