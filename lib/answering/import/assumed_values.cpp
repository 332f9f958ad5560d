#include "import/assumed_values.h"

#include <algorithm>

#include "classify/operator_table.h"
#include "import/aliases.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

// No operator returns more results.
constexpr std::size_t kMostResults = 4096;

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
    if (of == graph_.index.end() || !position || *position >= kMostResults) return std::nullopt;
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
          returns > value->items.size() && returns < kMostResults) {
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

AssumedValues assume_values(const TextGraph& graph, std::int64_t& next_storage) {
  return ValueAssumer(graph, next_storage).assume();
}

}  // namespace fxcut
