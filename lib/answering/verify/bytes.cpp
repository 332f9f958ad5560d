#include "verify/bytes.h"

#include <algorithm>

namespace fxcut {
namespace {

void collect_tensors(const Value& value, std::vector<const Tensor*>& tensors) {
  if (value.is_tensor()) tensors.push_back(&value.tensor);
  for (const Value& item : value.items) collect_tensors(item, tensors);
}

}  // namespace

std::int64_t bytes_of_elements(const Tensor& tensor) {
  const bool is_empty = std::any_of(tensor.shape.begin(), tensor.shape.end(), [](const Size& s) { return s.hint == 0; });
  std::int64_t elements = is_empty ? 0 : 1;  // the product of an empty tensor's other sizes may overflow
  for (const Size& size : tensor.shape) elements = is_empty ? 0 : elements * size.hint;
  return elements * tensor.dtype->size_bytes;
}

std::int64_t bytes_of_span(const Tensor& tensor) {
  const std::int64_t bytes = bytes_of_elements(tensor);
  if (bytes == 0 || tensor.stride.size() != tensor.shape.size()) return bytes;
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    elements += tensor.stride[d].hint * (tensor.shape[d].hint - 1);
  }
  return elements * tensor.dtype->size_bytes;
}

std::vector<const Tensor*> tensors_in(const Value& value) {
  std::vector<const Tensor*> tensors;
  collect_tensors(value, tensors);
  return tensors;
}

std::vector<const Tensor*> tensors_in(const Node& node) {
  const auto& value = node.value ? node.value : node.tensor_meta;
  return value ? tensors_in(*value) : std::vector<const Tensor*>();
}

std::unordered_map<std::int64_t, std::int64_t> bytes_by_storage(const Graph& graph) {
  std::unordered_map<std::int64_t, std::int64_t> storages;
  for (const Node& node : graph.nodes) {
    if (!node.value) continue;
    for (const Tensor* tensor : tensors_in(*node.value)) {
      if (!tensor->storage) continue;
      std::int64_t& bytes = storages[*tensor->storage];
      bytes = std::max(bytes, bytes_of_span(*tensor));
    }
  }
  return storages;
}

std::int64_t bytes_of_value(const Node& node) {
  if (!node.value) return 0;
  if (node.has_symbol()) return 1;
  std::int64_t bytes = node.has_tensor() ? bytes_of_elements(node.value->tensor) : 0;
  for (const Value& item : node.value->items) bytes += item.is_tensor() ? bytes_of_elements(item.tensor) : 0;
  return bytes;
}

}  // namespace fxcut
