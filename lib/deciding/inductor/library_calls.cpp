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

// Whether attention kernels on a GPU take the input in its layout, even with expanded dimensions (is_aligned_realized_tensor).
bool is_aligned(const LoweredValues& values, const LoweredValue& input) {
  constexpr std::int64_t kAlignment = 8;  // elements
  const Access stored = values.accesses(input).front();
  if (!stored.strides || stored.strides->empty() || stored.strides->back() != 1) return false;
  return std::all_of(stored.strides->begin(), stored.strides->end() - 1,
                     [](std::int64_t stride) { return stride % kAlignment == 0; });
}

// The bias of efficient attention, computed for this call without its expanded dimensions.
BufferId copy_unexpanded(LoweredValues& values, NodeId call, const LoweredValue& input) {
  const Extents traced = strides_of(*input.tensor);
  Tensor tensor = *input.tensor;
  std::vector<Size> sizes(tensor.shape.begin(), tensor.shape.end());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (traced[i] == 0) sizes[i] = {1, nullptr};
  }
  tensor.shape = Sizes(std::move(sizes));
  const std::vector<Access> reads = values.loads(input);
  const Tensor& copied = values.contiguous(tensor);
  const Extents shape = hints_of(copied.shape);
  const BufferId buffer = values.add_buffer(call, copied, element_bytes(copied));
  values.add_kernel({call, reads, {buffer}, {}, loops_of(shape, {}, reads, contiguous_strides(shape))});
  return buffer;
}

// The input's buffer, or a copy for this call only.
BufferId input_of_attention(LoweredValues& values, const Node& node, NodeId call, const LoweredValue& input, std::size_t position,
                            bool on_gpu) {
  constexpr std::size_t kBias = 3;
  const Extents shape = hints_of(input.tensor->shape), traced = strides_of(*input.tensor);
  const Extents wanted = strides_of_attention(shape, traced);
  const std::optional<BufferId> buffer = values.buffer_of(input);
  if (buffer && (shape.empty() || wanted == traced)) return *buffer;
  if (on_gpu && buffer && is_aligned(values, input)) return *buffer;
  const bool is_bias = position == kBias && node.packet() == "aten._scaled_dot_product_efficient_attention";
  if (on_gpu && is_bias) return copy_unexpanded(values, call, input);
  return values.copy(call, input, is_dense(shape, wanted) ? wanted : contiguous_strides(shape));
}

// Kernels make inputs of convolutions channels-last; inputs that are not channels-last are copied (require_channels_last).
BufferId input_of_convolution(LoweredValues& values, NodeId call, const LoweredValue& input) {
  const Extents shape = hints_of(input.tensor->shape);
  if (shape.size() != 4) return values.store(input);
  const Extents wanted = channels_last_strides(shape);
  if (!values.buffer_of(input) && !input.view_of) return values.store_in(input, wanted);
  const BufferId buffer = values.store(input);
  const Access read = values.accesses(input).front();
  return read.strides && is_ordered_as(shape, *read.strides, wanted) ? buffer : values.copy(call, input, wanted);
}

// Whether it is a 1D or 3D convolution on a GPU, which reads its input in the result's order (kernel/conv.py,
// require_stride_order).
bool orders_as_result(const Node& call, const LibraryRules& rules) {
  if (!rules.on_gpu || call.packet() != "aten.convolution" || !call.has_tensor()) return false;
  return call.value->tensor.shape.size() != 4;
}

BufferId input_in_order(LoweredValues& values, NodeId call, const LoweredValue& input, const Extents& order) {
  const Extents shape = hints_of(input.tensor->shape), wanted = dense_strides(shape, order);
  if (!values.buffer_of(input) && !input.view_of) return values.store_in(input, wanted);
  const BufferId buffer = values.store(input);
  const Access read = values.accesses(input).front();
  return read.strides && is_ordered_as(shape, *read.strides, wanted) ? buffer : values.copy(call, input, wanted);
}

// For gradients: whether those of the input and of the weight are channels-last, because either of the two is.
bool reads_channels_last(const Graph& graph, const Node& call, ConvolutionLayout layout) {
  if (layout == ConvolutionLayout::ChannelsLast) return is_convolution(call);
  if (layout != ConvolutionLayout::OfGradients || call.packet() != "aten.convolution_backward") return false;
  return std::ranges::any_of(call.inputs, [&](NodeId input) {
    return input != call.inputs.front() && graph[input].has_tensor() && is_like_channels_last(graph[input].value->tensor);
  });
}

// Whether the weight's gradient, with one channel per group, has a stride order that is neither channels-last nor contiguous: the
// strides of both channels and columns are 1, and the columns count as the inner ones (get_stride_order).
bool is_depthwise_backward(const Graph& graph, const Node& node, ConvolutionLayout layout) {
  if (layout != ConvolutionLayout::OfGradients || node.inputs.size() < 3 || !reads_channels_last(graph, node, layout))
    return false;
  const Node& weight = graph[node.inputs[2]];
  const Extents shape = weight.has_tensor() ? hints_of(weight.value->tensor.shape) : Extents{};
  return shape.size() == 4 && shape[0] > 1 && shape[1] == 1 && shape[3] > 1;
}

// In a graph without convolutions the backward takes its inputs in the order of the weight's gradient, and the result's gradient
// again in that of the input's (convolution_backward_lowering): contiguous on a CPU, channels-last on a GPU.
void read_depthwise(LoweredValues& values, NodeId call, const LoweredTensors& inputs, bool on_gpu,
                    std::vector<Access>& reads) {
  const auto copy_in_order = [&](const LoweredValue& input) {
    const Extents shape = hints_of(input.tensor->shape);
    return values.copy(call, input, {shape[1] * shape[2] * shape[3], shape[3], shape[1] * shape[3], 1});
  };
  for (const std::size_t position : {0U, 1U}) values.store(inputs[position]);
  const BufferId input = copy_in_order(inputs[1]), in_order = copy_in_order(inputs[0]);
  const LoweredValue gradient{in_order, 0, inputs[0].tensor, call};
  const Extents shape = hints_of(inputs[0].tensor->shape);
  reads.push_back({values.copy(call, gradient, on_gpu ? channels_last_strides(shape) : contiguous_strides(shape)), {}, 0});
  reads.push_back({input, {}, 0});
  for (std::size_t position = 2; position < inputs.size(); ++position) reads.push_back({values.store(inputs[position]), {}, 0});
}

// Matrix products read any strides if one of them is 1, so a concatenation may still absorb a whole operand; a part of it is read
// in the layout that it has by then (mm_args, ExternKernel.convert_to_reinterpret_view).
bool takes_any_layout(const Node& call, const LoweredValue& operand) {
  return (call.packet() == "aten.mm" || call.packet() == "aten.addmm") && !operand.view_of;
}

std::vector<Access> reads_of_call(LoweredValues& values, const Graph& graph, NodeId id, std::optional<NodeId> added,
                                  const LibraryRules& rules) {
  std::vector<Access> reads;
  const auto add = [&](const Node& call, const LoweredValue& operand, BufferId read) {
    reads.push_back({read, {}, 0});
    if (!takes_any_layout(call, operand)) values.fix_layout(read);
  };
  if (is_depthwise_backward(graph, graph[id], rules.layout)) {
    read_depthwise(values, id, values.inputs_of(graph[id]), rules.on_gpu, reads);
    for (const Access& read : reads) values.fix_layout(read.buffer);
    return reads;
  }
  const bool attends = is_attention(graph[id]), convolves = reads_channels_last(graph, graph[id], rules.layout);
  const bool orders = orders_as_result(graph[id], rules);
  std::size_t position = 0;
  LoweredTensors inputs = values.inputs_of(graph[id]);
  if (rules.on_gpu && bias_of_convolution(graph[id]) && inputs.size() > 2) inputs.resize(2);
  for (const LoweredValue& input : inputs) {
    add(graph[id], input,
        orders && position++ == 0 ? input_in_order(values, id, input, strides_of(graph[id].value->tensor))
        : attends   ? input_of_attention(values, graph[id], id, input, position++, rules.on_gpu)
        : convolves ? input_of_convolution(values, id, input)
                    : values.store_for_call(id, input));
  }
  if (!added) return reads;
  for (const LoweredValue& input : values.inputs_of(graph[*added])) add(graph[*added], input, values.store_for_call(id, input));
  return reads;
}

// Adds the call, which returns a tuple, and for each item a call that extracts it (MultiOutput), a kernel of its own in the
// order. The memory of all items is held as long as the tuple is.
void return_tuple(LoweredValues& values, Kernel call, std::span<const LoweredValue> results) {
  const NodeId id = call.node;
  const BufferId tuple = values.add_tuple(id);
  call.writes.push_back(tuple);
  values.add_kernel(std::move(call));
  for (const LoweredValue& result : results) {
    if (!result.buffer) continue;
    Buffer& item = values.buffer(*result.buffer);
    item.item_of = tuple;
    values.buffer(tuple).bytes += item.bytes;
    values.add_kernel({id, {{tuple, {}, 0}}, {*result.buffer}});
  }
}

}  // namespace

ConvolutionLayout layout_of_convolutions(const Graph& graph, const InductorRules& rules) {
  if (!rules.channels_last) return rules.orders_gradients ? ConvolutionLayout::OfGradients : ConvolutionLayout::AsTraced;
  const auto convolves = [&](const Node& node) {
    return node.calls("aten.convolution.default") ||
           (rules.gradients_decide_layout && node.calls("aten.convolution_backward.default"));
  };
  return std::ranges::any_of(graph.nodes, convolves) ? ConvolutionLayout::ChannelsLast : ConvolutionLayout::OfGradients;
}

void call_library(LoweredValues& values, const Graph& graph, NodeId id, std::span<const Tensor* const> tensors,
                  std::optional<NodeId> added, const LibraryRules& rules) {
  const Node& node = graph[id];
  Kernel call{id, reads_of_call(values, graph, id, added, rules), {}, {}, {}};
  const bool unaligned = !added && is_fallback(node) && std::ranges::any_of(call.reads, [&](const Access& read) {
    return values.buffer(read.buffer).unaligned;
  });
  LoweredTensors results;
  for (const Tensor* tensor : tensors) {
    LoweredValue result{{}, 0, tensor, id};
    if (tensor) {
      if (results.empty() && !rules.on_gpu && is_depthwise_backward(graph, node, rules.layout)) {
        result.tensor = &values.contiguous(*tensor);
      }
      result.buffer = values.add_buffer(id, *tensor, extent_bytes(*tensor));
      values.buffer(*result.buffer).by_library = !added && !writes_into_buffer(node);
      values.buffer(*result.buffer).unaligned = unaligned;
      if (rules.layout == ConvolutionLayout::ChannelsLast && is_convolution(node) && tensor->shape.size() == 4) {
        values.lay_out(*result.buffer, channels_last_strides(hints_of(tensor->shape)));
      }
    }
    results.push_back(result);
  }
  if (!node.value || node.value->is_tensor()) {
    if (results.front().buffer) call.writes.push_back(*results.front().buffer);
    values.add_kernel(std::move(call));
  } else {
    return_tuple(values, std::move(call), results);
  }
  values.hold(id, std::move(results));
}

std::vector<NodeId> copy_to_channels_last(LoweredValues& values, const Graph& graph, const Node& convolution) {
  std::vector<NodeId> copied;
  for (std::size_t position = 0; position < 2 && position < convolution.inputs.size(); ++position) {
    const NodeId id = convolution.inputs[position];
    if (!graph[id].is_placeholder() || !graph[id].has_tensor() || values.of(id).empty()) continue;
    const LoweredValue held = values.of(id).front();
    const Extents shape = hints_of(held.tensor->shape), strides = strides_of(*held.tensor);
    if (shape.size() != 4 || !values.buffer(*held.buffer).is_input || has_channels_last(shape, strides)) continue;
    values.hold(id, values.copy(id, held, channels_last_strides(shape)), *held.tensor);
    copied.push_back(id);
  }
  return copied;
}

}  // namespace fxcut
