#include "compiled/block_size.h"

#include <algorithm>
#include <vector>

namespace fxcut {
namespace {

// From the first to the last, inclusive; nullopt if that does not fit 63 bits.
std::optional<std::int64_t> elements_between(const Extents& shape, const Extents& stride) {
  if (shape.size() != stride.size()) return std::nullopt;
  std::int64_t elements = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::int64_t reach = 0;
    if (shape[i] < 0 || stride[i] < 0) return std::nullopt;
    if (shape[i] == 0) return 0;
    if (__builtin_mul_overflow(shape[i] - 1, stride[i], &reach)) return std::nullopt;
    if (__builtin_add_overflow(elements, reach, &elements)) return std::nullopt;
  }
  return elements;
}

std::optional<std::int64_t> storage_bytes(const Extents& shape, const Extents& stride, const Dtype& dtype) {
  const std::optional<std::int64_t> elements = elements_between(shape, stride);
  std::int64_t bytes = 0;
  if (!elements || __builtin_mul_overflow(*elements, std::int64_t{dtype.size_bytes}, &bytes)) return std::nullopt;
  return bytes;
}

bool are_alike(const Tensor& a, const Tensor& b) {
  return a.dtype == b.dtype && hints_of(a.shape) == hints_of(b.shape) && hints_of(a.stride) == hints_of(b.stride);
}

void name_node(MemoryBlock& block, const std::vector<const GraphValue*>& candidates) {
  if (candidates.size() != 1) return;
  block.node = candidates.front()->node;
  block.source = candidates.front()->source;
}

}  // namespace

std::string device_type(std::string_view device) { return std::string(device.substr(0, device.find(':'))); }

void settle_size(MemoryBlock& block, SizeSource source) {
  if (!block.dtype || !block.shape || !block.stride) return;
  block.size_bytes = storage_bytes(*block.shape, *block.stride, *block.dtype);
  block.size_source = block.size_bytes ? source : SizeSource::Unknown;
}

bool ends_later(const Extents& shape, const Extents& stride, const MemoryBlock& block) {
  return !block.shape || !block.stride || elements_between(shape, stride) > elements_between(*block.shape, *block.stride);
}

void settle_like(MemoryBlock& block, const Tensor& tensor) {
  block.dtype = tensor.dtype;
  block.shape = hints_of(tensor.shape);
  block.stride = hints_of(tensor.stride);
  block.device = device_type(tensor.device);
  settle_size(block, SizeSource::Graph);
}

void settle_by_calls(MemoryBlock& block, const GraphFacts& facts, std::string_view target, std::optional<std::size_t> item) {
  const auto candidates = facts.results_of(target, item);
  name_node(block, candidates);
  const bool agree = std::all_of(candidates.begin(), candidates.end(), [&](const GraphValue* value) {
    return value->tensor && candidates.front()->tensor && are_alike(*value->tensor, *candidates.front()->tensor);
  });
  if (!candidates.empty() && agree) settle_like(block, *candidates.front()->tensor);
}

void settle_dtype_by_calls(MemoryBlock& block, const GraphFacts& facts, std::string_view target,
                           std::optional<std::size_t> item) {
  std::vector<const GraphValue*> candidates = facts.results_of(target, item);
  std::erase_if(candidates, [&](const GraphValue* value) {
    return !value->tensor || hints_of(value->tensor->shape) != block.shape;
  });
  if (candidates.empty()) return;
  const Tensor& first = *candidates.front()->tensor;
  const bool agree = std::all_of(candidates.begin(), candidates.end(),
                                 [&](const GraphValue* value) { return value->tensor->dtype == first.dtype; });
  if (!agree) return;
  block.dtype = first.dtype;
  block.device = device_type(first.device);
  settle_size(block, SizeSource::Graph);
  name_node(block, candidates);
}

}  // namespace fxcut
