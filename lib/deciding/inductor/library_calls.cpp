#include "inductor/library_calls.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "inductor/lowering_rules.h"

namespace fxcut {
namespace {

// sdpa_constraint.
Extents strides_of_attention(const Extents& shape, const Extents& traced) {
  const bool last_is_innermost =
      traced.empty() || std::ranges::all_of(traced, [&](std::int64_t stride) { return traced.back() <= stride; });
  return last_is_innermost ? traced : contiguous_strides(shape);
}

// As it is, or a copy for this call only.
BufferId input_of_attention(LoweredValues& values, NodeId call, const Held& input) {
  const Extents shape = hints_of(input.tensor->shape), traced = strides_of(*input.tensor);
  const Extents wanted = strides_of_attention(shape, traced);
  const std::optional<BufferId> buffer = values.buffer_of(input);
  if (buffer && (shape.empty() || wanted == traced)) return *buffer;
  return values.copy(call, input, is_dense(shape, wanted) ? wanted : contiguous_strides(shape));
}

std::vector<Access> reads_of_call(LoweredValues& values, const Graph& graph, NodeId id, std::optional<NodeId> added) {
  std::vector<Access> reads;
  const bool attends = is_attention(graph[id]);
  for (const Held& input : values.inputs_of(graph[id])) {
    reads.push_back({attends ? input_of_attention(values, id, input) : values.store(input), {}, 0});
  }
  if (added) {
    for (const Held& input : values.inputs_of(graph[*added])) reads.push_back({values.store(input), {}, 0});
  }
  return reads;
}

bool has_channels_last(const Extents& shape, const Extents& strides) {
  const Extents wanted{shape[1] * shape[2] * shape[3], 1, shape[3] * shape[1], shape[1]};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1 && strides[i] != wanted[i]) return false;
  }
  return true;
}

}  // namespace

void call_library(LoweredValues& values, const Graph& graph, NodeId id, std::span<const Tensor* const> tensors,
                  std::optional<NodeId> added) {
  const Node& node = graph[id];
  Kernel call{id, reads_of_call(values, graph, id, added), {}, {}, {}};
  for (const Access& read : call.reads) values.fix_layout(read.buffer);
  const bool unaligned = !added && is_fallback(node) && std::ranges::any_of(call.reads, [&](const Access& read) {
    return values.buffer(read.buffer).unaligned;
  });
  std::vector<Held> results;
  for (const Tensor* tensor : tensors) {
    Held result{{}, 0, tensor, id};
    if (tensor) {
      result.buffer = values.add_buffer(id, *tensor, extent_bytes(*tensor));
      values.buffer(*result.buffer).by_library = !added && !writes_into_buffer(node);
      values.buffer(*result.buffer).unaligned = unaligned;
      call.writes.push_back(*result.buffer);
    }
    results.push_back(result);
  }
  values.add_kernel(std::move(call));
  values.hold(id, std::move(results));
}

std::vector<NodeId> copy_to_channels_last(LoweredValues& values, const Graph& graph, const Node& convolution) {
  std::vector<NodeId> copied;
  for (std::size_t position = 0; position < 2 && position < convolution.inputs.size(); ++position) {
    const NodeId id = convolution.inputs[position];
    if (!graph[id].is_placeholder() || !graph[id].has_tensor() || values.of(id).empty()) continue;
    const Held held = values.of(id).front();
    const Extents shape = hints_of(held.tensor->shape), strides = strides_of(*held.tensor);
    if (shape.size() != 4 || !values.buffer(*held.buffer).is_input || has_channels_last(shape, strides)) continue;
    values.hold(id, values.copy(id, held, strides), *held.tensor);
    copied.push_back(id);
  }
  return copied;
}

}  // namespace fxcut
