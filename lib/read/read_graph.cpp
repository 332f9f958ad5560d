#include "read/read_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "classify/operator_table.h"
#include "read/fields.h"
#include "read/read_argument.h"
#include "read/read_meta.h"
#include "read/read_value.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

constexpr std::string_view kFormat = "fx-joint-graph";
constexpr std::int64_t kVersion = 1;

constexpr std::array<std::pair<std::string_view, Opcode>, 4> kOpcodes = {{
    {"placeholder", Opcode::Placeholder},
    {"call_function", Opcode::CallFunction},
    {"get_attr", Opcode::GetAttr},
    {"output", Opcode::Output},
}};

class GraphReader {
 public:
  explicit GraphReader(Mistakes& mistakes) : mistakes_(mistakes), values_(mistakes) {}

  JointGraph read(const JsonValue& root, std::string_view torch_version);

 private:
  void check_format(const JsonValue& root);
  void read_operators(const JsonValue& ops);
  void read_symbols(const JsonValue& symbols, JointGraph& joint);
  Graph read_nodes(const JsonValue& owner);
  NodeNames read_names(const JsonValue& nodes);
  void read_node(const JsonValue& json, const NodeNames& names, NodeId id, Node& node);
  void read_call(const JsonValue& json, const NodeNames& names, NodeId id, Node& node);
  void check_outputs(const JsonValue& nodes, const Graph& graph);
  std::vector<std::pair<std::string, Subgraph>> read_subgraphs(const JsonValue& owner);
  void read_static_inputs(const JsonValue& root, Graph& graph);
  void read_num_forward_outputs(const JsonValue& root, JointGraph& joint);

  Mistakes& mistakes_;
  ValueReader values_;
  std::shared_ptr<OperatorTable> operators_;
};

JointGraph GraphReader::read(const JsonValue& root, std::string_view torch_version) {
  JointGraph joint;
  if (!expect(root, Type::Object, "", mistakes_)) return joint;
  check_format(root);
  if (const auto name = member(root, "name"); name && name->is(Type::String)) joint.name = name->text();
  if (const auto producer = member(root, "producer"); producer && producer->is(Type::String)) {
    joint.producer = producer->text();
  }
  joint.torch = choose_release(torch_version, joint.producer);
  operators_ = std::make_shared<OperatorTable>(joint.torch.release);
  if (const auto ops = member(root, "ops")) read_operators(*ops);
  if (const auto symbols = member(root, "symbols")) read_symbols(*symbols, joint);
  joint.graph = read_nodes(root);
  joint.subgraphs = read_subgraphs(root);
  read_static_inputs(root, joint.graph);
  read_num_forward_outputs(root, joint);
  return joint;
}

void GraphReader::check_format(const JsonValue& root) {
  const auto format = member(root, "format");
  if (!format || !format->is(Type::String) || format->text() != kFormat) {
    mistakes_.add(format.value_or(root), fmt::format("expected \"format\": \"{}\"", kFormat),
                  "is this a joint graph? see 'fxcut help partition'");
  }
  const auto version = member(root, "version");
  if (!version || !version->is(Type::Integer) || version->integer() != kVersion) {
    mistakes_.add(version.value_or(root), fmt::format("expected \"version\": {}", kVersion),
                  "this program reads that version only");
  }
}

void GraphReader::read_operators(const JsonValue& ops) {
  if (!expect(ops, Type::Object, "", mistakes_)) return;
  for (const JsonValue op : ops) {
    if (!expect(op, Type::Object, "", mistakes_)) continue;
    OperatorFacts facts;
    for (const JsonValue fact : op) {
      const std::string_view key = fact.key();
      if (key == "tags" && expect(fact, Type::Array, "", mistakes_)) {
        facts.tags.emplace();
        for (const JsonValue tag : fact) {
          if (const auto name = read_string(tag, "", mistakes_)) facts.tags->emplace_back(*name);
        }
      }
      if (key == "mutable") facts.mutates = read_boolean(fact, "", mistakes_);
      if (key == "builtin") facts.builtin = read_boolean(fact, "", mistakes_);
      if (key == "returns") {
        const auto returns = read_integer(fact, "", mistakes_);
        if (returns && (*returns < 0 || *returns > std::numeric_limits<int>::max())) {
          mistakes_.add(fact, fmt::format("{} returned values; expected {}", *returns,
                                          *returns < 0 ? "0 or more" : "at most 2147483647"));
        } else if (returns) {
          facts.returns = static_cast<int>(*returns);
        }
      }
      if (key == "schema") {
        if (const auto schema = read_string(fact, "", mistakes_)) facts.schema = *schema;
      }
    }
    operators_->describe(std::string(op.key()), std::move(facts));
  }
}

void GraphReader::read_symbols(const JsonValue& symbols, JointGraph& joint) {
  if (!expect(symbols, Type::Object, "", mistakes_)) return;
  for (const JsonValue json : symbols) {
    if (!expect(json, Type::Object, "", mistakes_)) continue;
    Symbol symbol;
    const auto hint = member(json, "hint");
    if (hint && !hint->is(Type::Null)) symbol.hint = read_integer(*hint, "", mistakes_);
    if (const auto backed = member(json, "backed")) symbol.backed = read_boolean(*backed, "", mistakes_).value_or(true);
    joint.symbols.emplace(json.key(), symbol);
  }
}

NodeNames GraphReader::read_names(const JsonValue& nodes) {
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
      mistakes_.add(*name, fmt::format("the name '{}' stands twice; first at /nodes/{}", name->text(),
                                       index_of(first->second)),
                    "each node needs a name of its own");
    }
  }
  return names;
}

Graph GraphReader::read_nodes(const JsonValue& owner) {
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

void GraphReader::read_node(const JsonValue& json, const NodeNames& names, NodeId id, Node& node) {
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

void GraphReader::read_call(const JsonValue& json, const NodeNames& names, NodeId id, Node& node) {
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

void GraphReader::check_outputs(const JsonValue& nodes, const Graph& graph) {
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

std::vector<std::pair<std::string, Subgraph>> GraphReader::read_subgraphs(const JsonValue& owner) {
  std::vector<std::pair<std::string, Subgraph>> subgraphs;
  const auto json = member(owner, "subgraphs");
  if (!json || !expect(*json, Type::Object, "", mistakes_)) return subgraphs;
  for (const JsonValue child : *json) {
    if (!expect(child, Type::Object, "", mistakes_)) continue;
    subgraphs.emplace_back(child.key(), Subgraph{read_nodes(child), read_subgraphs(child), child.ticket()});
  }
  return subgraphs;
}

void GraphReader::read_static_inputs(const JsonValue& root, Graph& graph) {
  const auto json = member(root, "static_lifetime_inputs");
  if (!json || !expect(*json, Type::Array, "", mistakes_)) return;
  std::unordered_map<std::string_view, Node*> placeholders;
  std::vector<std::string_view> names;
  for (Node& node : graph.nodes) {
    if (!node.is_placeholder()) continue;
    placeholders.emplace(node.name, &node);
    names.push_back(node.name);
  }
  for (const JsonValue entry : *json) {
    const auto name = read_string(entry, "", mistakes_);
    if (!name) continue;
    const auto found = placeholders.find(*name);
    if (found == placeholders.end()) {
      mistakes_.add(entry, fmt::format("there is no placeholder '{}'", *name),
                    mistakes_.has_room() ? did_you_mean(*name, names) : "");
    } else {
      found->second->meta.static_lifetime = is_primal(*found->second);
    }
  }
}

void GraphReader::read_num_forward_outputs(const JsonValue& root, JointGraph& joint) {
  const auto json = member(root, "num_fwd_outputs");
  if (!json) {
    mistakes_.add(root, "expected 'num_fwd_outputs', how many outputs are the forward's");
    return;
  }
  const auto count = read_integer(*json, "", mistakes_);
  if (!count || !mistakes_.empty()) return;  // to count the outputs takes a sound graph
  const std::size_t outputs = output_leaves(joint.graph).size();
  if (*count < 0 || static_cast<std::uint64_t>(*count) > outputs) {
    mistakes_.add(*json, fmt::format("{} forward outputs, but the graph has {} outputs in all", *count, outputs));
    return;
  }
  joint.num_forward_outputs = static_cast<std::size_t>(*count);
}

}  // namespace

JointGraph read_joint_graph(const Document& document, std::string_view torch_version) {
  Mistakes mistakes;
  JointGraph joint = GraphReader(mistakes).read(document.root(), torch_version);
  mistakes.raise();
  return joint;
}

}  // namespace fxcut
