#include "graph/fingerprint.h"

#include <map>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/arguments_by_name.h"
#include "graph/hash128.h"
#include "system/threads.h"

namespace fxcut {
namespace {

std::uint64_t word(bool flag) { return flag ? 1 : 0; }
template <typename Integer>
std::uint64_t word(Integer value) {
  return static_cast<std::uint64_t>(value);
}

// A missing number differs from 0.
void add(Hash128& hash, const std::optional<std::int64_t>& number) {
  hash.add(word(number.has_value()));
  hash.add(word(number.value_or(0)));
}

void add(Hash128& hash, const std::optional<double>& number) {
  hash.add(word(number.has_value()));
  hash.add(number.value_or(0));
}

void add(Hash128& hash, const Argument& argument) {
  hash.add(word(argument.kind));
  hash.add(word(argument.index));
  hash.add(word(argument.integer));
  hash.add(argument.real);
  hash.add(argument.imaginary);
  hash.add(argument.text);
  hash.add(word(argument.items.size()));
  for (const std::string& key : argument.keys) hash.add(key);
  for (const Argument& item : argument.items) add(hash, item);
}

void add(Hash128& hash, const Operator& callee) {
  hash.add(callee.target);
  hash.add(word(callee.classes) | word(callee.known) << 8 | word(callee.mutates) << 9 |
           word(callee.seeded_random) << 10 | word(callee.builtin) << 11 | word(callee.has_side_effect) << 12);
  hash.add(word(callee.returns));
  for (const std::string& argument : callee.mutable_arguments) hash.add(argument);
}

// The kind of an input; its own target is a name.
std::uint64_t input_class(const Node& node) {
  return word(is_tangent(node)) | word(is_forward_seed(node)) << 1 | word(is_backward_seed(node)) << 2 |
         word(is_backward_state(node)) << 3;
}

class ValueHash {
 public:
  void add_node(const Node& node) {
    for (const auto& value : {node.value, node.tensor_meta}) {
      hash.add(word(value != nullptr));
      if (value) add_value(*value);
    }
  }

  Hash128 hash;

 private:
  void add_expression(const Expression* expression) {
    hash.add(word(expression != nullptr));
    if (expression) hash.add(expression->text);
  }

  void add_sizes(const Sizes& sizes) {
    hash.add(word(sizes.size()));
    for (const Size& size : sizes) {
      hash.add(word(size.hint));
      add_expression(size.expression.get());
    }
  }

  void add_value(const Value& value) {
    hash.add(word(value.kind));
    if (value.is_tensor()) {
      hash.add(value.tensor.dtype ? value.tensor.dtype->name : "");
      add_sizes(value.tensor.shape);
      add_sizes(value.tensor.stride);
      hash.add(value.tensor.device);
      // A storage is identified by its first value: its number is the tracer's.
      const auto storage = value.tensor.storage;
      hash.add(storage ? storages_.emplace(*storage, storages_.size() + 1).first->second : 0);
    }
    add_expression(value.expression.get());
    add(hash, value.hint);
    hash.add(value.type_name);
    hash.add(word(value.items.size()));
    if (value.unreplaced) {
      hash.add(value.unreplaced->text);
      for (const std::string& symbol : value.unreplaced->symbols) hash.add(symbol);
    }
    for (const Value& item : value.items) add_value(item);
  }

  std::unordered_map<std::int64_t, std::uint64_t> storages_;
};

void add_marks(Hash128& hash, const Node& node) {
  const Meta& meta = node.meta;
  hash.add(meta.recompute ? word(*meta.recompute) + 1 : 0);
  add(hash, meta.ac_graph_id);
  hash.add(word(meta.tag) | word(meta.has_backward_hook) << 8 | word(meta.saved_without_version_check) << 9 |
           word(meta.static_lifetime) << 10 | word(meta.should_offload) << 11 | word(meta.replayed_mutation) << 12);
  add(hash, meta.memory_budget);
  add(hash, meta.region_budget);
  add(hash, meta.runtime_ms);
  if (node.provenance) {
    hash.add(node.provenance->module);
    hash.add(node.provenance->checkpoint_name);
  }
  if (node.context) {
    for (const auto* part : {&node.context->stream, &node.context->memory_pool, &node.context->memory_pool_device}) {
      hash.add(*part);
    }
  }
}

// Calls `visit` with each graph and the name of a subgraph, by name: members of a JSON object have no order.
void for_each_graph(const Subgraphs& subgraphs, const auto& visit) {
  std::map<std::string_view, const NamedSubgraph*> by_name;
  for (const NamedSubgraph& named : subgraphs) by_name.emplace(named.name, &named);
  for (const auto& [name, named] : by_name) {
    visit(&named->name, named->subgraph.graph);
    for_each_graph(named->subgraph.subgraphs, visit);
  }
}
void for_each_graph(const JointGraph& joint, const auto& visit) {
  visit(nullptr, joint.graph);
  for_each_graph(joint.subgraphs, visit);
}

// The node with its arguments in the order of their names.
Node with_named_order(Node node) {
  ArgumentsByName named = by_name(*node.arguments);
  node.inputs = inputs_at(named.inputs, node.inputs);
  node.arguments = std::make_shared<const Arguments>(std::move(named.arguments));
  return node;
}

void add_call_with_inputs(Hash128& hash, const Node& node) {
  add_call(hash, node);
  hash.add(word(node.inputs.size()));
  for (const NodeId input : node.inputs) hash.add(word(index_of(input)));
}

// Hashes of the calls and of the names.
std::pair<std::string, std::string> hash_structure(const JointGraph& joint) {
  Hash128 calls, names;
  calls.add(word(joint.num_forward_outputs));
  for_each_graph(joint, [&](const std::string* name, const Graph& graph) {
    if (name) calls.add(*name);
    calls.add(word(graph.size()));
    for (const Node& node : graph.nodes) {
      const bool is_in_order = !node.arguments || are_by_name(*node.arguments);
      is_in_order ? add_call_with_inputs(calls, node) : add_call_with_inputs(calls, with_named_order(node));
      names.add(node.name);
    }
  });
  return {calls.text(), names.text()};
}

// Hashes of the values and of the marks.
std::pair<std::string, std::string> hash_content(const JointGraph& joint) {
  ValueHash values;
  Hash128 marks;
  for_each_graph(joint, [&](const std::string*, const Graph& graph) {
    for (const Node& node : graph.nodes) {
      values.add_node(node);
      add_marks(marks, node);
    }
  });
  for (const auto& [name, symbol] : joint.symbols) {
    values.hash.add(name);
    add(values.hash, symbol.hint);
    values.hash.add(word(symbol.backed));
  }
  return {values.hash.text(), marks.text()};
}

}  // namespace

void add_call(Hash128& hash, const Node& node) {
  hash.add(word(node.opcode));
  if (node.is_placeholder()) hash.add(input_class(node));
  if (node.opcode == Opcode::GetAttr) hash.add(node.target);
  if (node.callee) add(hash, *node.callee);
  if (!node.arguments) return;
  hash.add(word(node.arguments->positional.size()));
  for (const Argument& argument : node.arguments->positional) add(hash, argument);
  for (const auto& [key, argument] : node.arguments->keyword) {
    hash.add(key);
    add(hash, argument);
  }
}

GraphFingerprint fingerprint_of(const JointGraph& joint) {
  auto [structure, content] = at_once(
      joint.graph.size(), [&] { return hash_structure(joint); }, [&] { return hash_content(joint); });
  return {joint.graph.size(), std::move(structure.first), std::move(structure.second), std::move(content.first),
          std::move(content.second)};
}

std::vector<std::string_view> differing_aspects(const GraphFingerprint& a, const GraphFingerprint& b) {
  std::vector<std::string_view> aspects;
  if (a.nodes != b.nodes) aspects.push_back("how many nodes there are");
  if (a.calls != b.calls) aspects.push_back("operators and their arguments");
  if (a.names != b.names) aspects.push_back("names of nodes");
  if (a.values != b.values) aspects.push_back("dtypes, sizes and shared memory");
  if (a.marks != b.marks) aspects.push_back("tags, marks, modules or checkpoint names");
  return aspects;
}

}  // namespace fxcut
