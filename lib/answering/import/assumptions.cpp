#include "import/assumptions.h"

#include <algorithm>

#include "classify/operator_table.h"
#include "python_text/aliases.h"

namespace fxcut {
namespace {

void for_each_name(const PythonExpression& expression, const auto& visit) {
  if (expression.is(PythonExpression::Kind::Name)) visit(expression.text);
  for (const PythonExpression& item : expression.items) for_each_name(item, visit);
  for (const auto& keyword : expression.keywords) for_each_name(keyword.value, visit);
}

// The positions of the earlier nodes that node number `reader` uses, in order; may repeat.
std::vector<std::size_t> inputs_of(const TextGraph& graph, std::size_t reader) {
  std::vector<std::size_t> inputs;
  const auto add = [&](const std::string& name) {
    const auto found = graph.index.find(name);
    if (found != graph.index.end() && found->second < reader) inputs.push_back(found->second);
  };
  for (const PythonExpression& argument : graph.nodes[reader].arguments) for_each_name(argument, add);
  for (const auto& keyword : graph.nodes[reader].keywords) for_each_name(keyword.value, add);
  return inputs;
}

bool is_tangent_input(const TextNode& node) {
  return node.opcode == Opcode::Placeholder && node.target.find("tangents") != std::string::npos;
}

// The last node on which the forward's outputs depend.
std::size_t find_forward_end(const TextGraph& graph, std::size_t num_forward_outputs) {
  const PythonExpression& returned = graph.nodes.back().arguments[0];
  std::size_t end = 0;
  const auto needs = [&](const std::string& name) {
    const auto found = graph.index.find(name);
    if (found != graph.index.end() && found->second + 1 < graph.nodes.size()) end = std::max(end, found->second);
  };
  for (std::size_t i = 0; i < std::min(num_forward_outputs, returned.items.size()); ++i) {
    for_each_name(returned.items[i], needs);
  }
  return end;
}

bool keeps_for_backward(const TextNode& node) {
  return node.target == "aten.detach.default" || node.target == "aten.alias.default";
}

// Whether the node, which no output of the forward needs, still belongs to its input in the forward: it is an item of the
// input's results, or the detached value that autograd keeps of it. The backward detaches that once more.
bool belongs_to_input(const TextGraph& graph, const TextNode& node, const std::vector<std::size_t>& inputs) {
  if (node.target == "operator.getitem") return true;
  return keeps_for_backward(node) && !inputs.empty() && !keeps_for_backward(graph.nodes[inputs[0]]);
}

bool is_tagged_forward(const std::vector<PartitionerTag>& tags, const std::vector<std::size_t>& inputs) {
  return !inputs.empty() && tags[inputs[0]] == PartitionerTag::IsForward;
}

using Kind = PythonExpression::Kind;

// No operator returns more results.
constexpr std::size_t kMaxResults = 4096;

struct TakenItem {
  std::size_t of;        // the node whose result it is
  std::size_t position;  // among its results
};

class ValueAssumer {
 public:
  ValueAssumer(const TextGraph& graph, std::int64_t& next_storage) : graph_(graph), next_storage_(next_storage) {}

  AssumedValues assume() {
    assumed_.values.resize(graph_.nodes.size());
    // The text has a result's type at its getitem, so the last nodes come first.
    for (std::size_t i = graph_.nodes.size(); i-- > 0;) describe(i);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) place(i);
    return std::move(assumed_);
  }

 private:
  std::optional<TakenItem> taken_item(const TextNode& node) const {
    const bool takes = node.target == "operator.getitem" && node.arguments.size() == 2 && node.arguments[0].is(Kind::Name);
    if (!takes) return std::nullopt;
    const auto of = graph_.index.find(node.arguments[0].text);
    const auto position = position_of(node.arguments[1]);
    if (of == graph_.index.end() || !position || *position >= kMaxResults) return std::nullopt;
    return TakenItem{of->second, *position};
  }

  // The memory of the argument that the call returns.
  std::optional<std::int64_t> argument_storage(const TextNode& node) const {
    if (node.opcode != Opcode::CallFunction) return std::nullopt;
    const auto aliased = aliased_argument(node.target);
    if (!aliased) return std::nullopt;
    const PythonExpression* argument = nullptr;
    if (aliased->position < node.arguments.size()) argument = &node.arguments[aliased->position];
    for (const auto& [name, value] : node.keywords) {
      if (name == aliased->name) argument = &value;
    }
    if (!argument || !argument->is(Kind::Name)) return std::nullopt;
    const auto owner = graph_.index.find(argument->text);
    if (owner == graph_.index.end()) return std::nullopt;
    const std::optional<Value>& value = assumed_.values[owner->second];
    return value && value->is_tensor() ? value->tensor.storage : std::nullopt;
  }

  void describe(std::size_t i) {
    const TextNode& node = graph_.nodes[i];
    std::optional<Value>& value = assumed_.values[i];
    if (node.value) value = node.value;
    if (value && value->kind == Value::Kind::Tuple) {
      if (const auto returns = static_cast<std::size_t>(make_operator(node.target).returns);
          returns > value->items.size() && returns < kMaxResults) {
        value->items.resize(returns);
      }
      for (const Value& item : value->items) assumed_.results_without_type += item.kind == Value::Kind::None ? 1 : 0;
    }
    const auto taken = taken_item(node);
    if (!taken || taken->of >= i || graph_.nodes[taken->of].value) return;
    std::optional<Value>& owner = assumed_.values[taken->of];
    if (!owner) {
      owner.emplace();
      owner->kind = Value::Kind::Tuple;
    }
    if (owner->items.size() <= taken->position) owner->items.resize(taken->position + 1);
    if (value) owner->items[taken->position] = *value;
  }

  void place(std::size_t i) {
    std::optional<Value>& value = assumed_.values[i];
    if (!value) return;
    if (const auto taken = taken_item(graph_.nodes[i]); taken && taken->of < i) {
      const std::optional<Value>& owner = assumed_.values[taken->of];
      if (owner && owner->kind == Value::Kind::Tuple && taken->position < owner->items.size()) {
        value = Value(owner->items[taken->position]);
        return;
      }
    }
    give_storage(*value, argument_storage(graph_.nodes[i]));
  }

  void give_storage(Value& value, std::optional<std::int64_t> storage) {
    if (value.is_tensor()) value.tensor.storage = storage ? *storage : next_storage_++;
    for (Value& item : value.items) give_storage(item, storage);
  }

  const TextGraph& graph_;
  std::int64_t& next_storage_;
  AssumedValues assumed_;
};

}  // namespace

std::vector<PartitionerTag> assume_phases(const TextGraph& graph, std::size_t num_forward_outputs) {
  const std::size_t forward_end = find_forward_end(graph, num_forward_outputs);
  std::vector<PartitionerTag> tags(graph.nodes.size(), PartitionerTag::None);
  std::vector<bool> depends(graph.nodes.size(), false);
  bool backward_began = false;
  for (std::size_t i = 0; i + 1 < graph.nodes.size(); ++i) {
    const TextNode& node = graph.nodes[i];
    depends[i] = is_tangent_input(node);
    const std::vector<std::size_t> inputs = inputs_of(graph, i);
    for (const std::size_t input : inputs) depends[i] = depends[i] || depends[input];
    const bool is_input = node.opcode == Opcode::Placeholder;
    const bool writes = node.opcode == Opcode::CallFunction && make_operator(node.target).mutates;
    backward_began = backward_began || (depends[i] && !is_input);
    const bool is_kept = !backward_began && belongs_to_input(graph, node, inputs) && is_tagged_forward(tags, inputs);
    const bool is_forward = !depends[i] && (i <= forward_end || is_input || is_kept);
    const bool is_epilogue = !depends[i] && writes && !is_forward;
    tags[i] = is_forward    ? PartitionerTag::IsForward
              : is_epilogue ? PartitionerTag::MustBeInForward
                            : PartitionerTag::IsBackward;
  }
  return tags;
}

AssumedValues assume_values(const TextGraph& graph, std::int64_t& next_storage) {
  return ValueAssumer(graph, next_storage).assume();
}

}  // namespace fxcut
