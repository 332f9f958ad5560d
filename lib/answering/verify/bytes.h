// Bytes of tensors and of their storages, computed independently of the code that makes reports: from shape, stride and
// dtype, with symbolic sizes at their hints.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// Bytes of all elements of the tensor.
std::int64_t bytes_of_elements(const Tensor& tensor);

// Bytes from the first to the last element of the tensor in its storage; bytes of its elements if it has no strides.
std::int64_t bytes_of_span(const Tensor& tensor);

// The tensors of a value, depth first; for a node, those of its value or otherwise of its tensor metadata.
std::vector<const Tensor*> tensors_in(const Value& value);
std::vector<const Tensor*> tensors_in(const Node& node);

// By storage number: the largest span of any value of the graph in that storage.
std::unordered_map<std::int64_t, std::int64_t> bytes_by_storage(const Graph& graph);

// Bytes of a row of a report (PyTorch's _size_of): those of a tensor or of a tuple's tensors; 1 for a symbolic number; otherwise
// 0.
std::int64_t bytes_of_value(const Node& node);

}  // namespace fxcut
