#include "cost/size.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_set>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

std::int64_t counted_bytes(const Tensor& tensor) {
  return tensor.has_unhinted_elements ? kUnhintedSize * tensor.dtype->size_bytes : element_bytes(tensor);
}

std::int64_t items_bytes(const Value& value) {
  std::int64_t bytes = 0;
  for (const Value& item : value.items) bytes += item.is_tensor() ? counted_bytes(item.tensor) : 0;
  return bytes;
}

std::string_view describe(Value::Kind kind) {
  switch (kind) {
    case Value::Kind::None: return "None";
    case Value::Kind::Scalar: return "a number or string";
    case Value::Kind::BackwardState: return "the backward state";
    case Value::Kind::Opaque: return "a script object, which may hold tensors";
    default: return "of a kind that has no size";
  }
}

// Operators that return nothing, and get_attr, need no known value.
bool holds_nothing(const Node& node) {
  return node.opcode == Opcode::GetAttr || (node.is_call() && node.callee->needs_no_size);
}

void add_extents(const Value& value, StorageBytes& storages) {
  if (value.is_tensor() && value.tensor.storage) {
    std::int64_t& bytes = storages[*value.tensor.storage];
    bytes = std::max(bytes, extent_bytes(value.tensor));
  }
  for (const Value& item : value.items) add_extents(item, storages);
}

}  // namespace

std::optional<std::int64_t> find_size(const Node& node, const Settings& settings) {
  if (!node.value) return holds_nothing(node) ? std::optional<std::int64_t>(0) : std::nullopt;
  const Value& value = *node.value;
  if (value.is_tensor()) return counted_bytes(value.tensor);
  if (value.is_symbolic()) return 1;
  if (value.kind == Value::Kind::Tuple || value.kind == Value::Kind::Dict) return items_bytes(value);
  if (value.kind == Value::Kind::Opaque && settings.unsafe_treat_script_objects_as_zero_size) return 0;
  return std::nullopt;
}

std::int64_t size_of(const Node& node, const Settings& settings, Release release) {
  const bool is_unsized_dictionary =
      node.value && node.value->kind == Value::Kind::Dict && !release.has(Change::DictionariesHaveSizes);
  const auto size = is_unsized_dictionary ? std::nullopt : find_size(node, settings);
  if (size) return *size;
  if (node.has_device() && release.has(Change::DevicesAreFree)) return 0;
  const std::string_view why = node.value ? describe(node.value->kind) : "not described";
  const bool is_opaque = node.value && node.value->kind == Value::Kind::Opaque;
  throw Failure(ExitStatus::NoPartition,
                fmt::format("the decision needs the size of '{}', but its value is {}", node.name, why),
                is_opaque     ? "set unsafe_treat_script_objects_as_zero_size to true to count it as 0 bytes"
                : node.value ? "set ban_recompute_reductions to false: only that ban asks for its size"
                             : "give the node a 'val' that says what it computes");
}

StorageBytes storage_bytes(const Graph& graph) {
  StorageBytes storages;
  for (const Node& node : graph.nodes) {
    if (node.value) add_extents(*node.value, storages);
  }
  return storages;
}

std::vector<std::int64_t> kept_bytes(const Graph& graph, const StorageBytes& storages,
                                     const std::vector<NodeId>& saved) {
  std::unordered_set<std::int64_t> counted;  // static inputs' storages are counted elsewhere
  for (const Node& node : graph.nodes) {
    if (node.meta.static_lifetime && node.has_tensor() && node.value->tensor.storage) {
      counted.insert(*node.value->tensor.storage);
    }
  }
  std::vector<std::int64_t> kept(saved.size());
  for (std::size_t i = 0; i < saved.size(); ++i) {
    const Node& node = graph[saved[i]];
    if (!node.has_tensor() || node.meta.static_lifetime) continue;
    const Tensor& tensor = node.value->tensor;
    if (!tensor.storage) {
      kept[i] = element_bytes(tensor);
    } else if (counted.insert(*tensor.storage).second) {
      kept[i] = storages.at(*tensor.storage);
    }
  }
  return kept;
}

std::int64_t bytes_not_static(const Graph& graph, const StorageBytes& storages, const std::vector<NodeId>& saved) {
  const std::vector<std::int64_t> kept = kept_bytes(graph, storages, saved);
  return std::accumulate(kept.begin(), kept.end(), std::int64_t{0});
}

}  // namespace fxcut
