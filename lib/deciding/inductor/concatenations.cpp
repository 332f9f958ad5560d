#include "inductor/concatenations.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "inductor/lowering_rules.h"

namespace fxcut {
namespace {

// Before a convolution what a kernel makes has them, if its layout is fixed.
bool term_has_channels_last(LoweredValues& values, const LoweredValue& held, const std::vector<bool>& prefers_channels_last) {
  const std::optional<BufferId> buffer = values.buffer_of(held);
  if (!buffer || held.view_of || held.tensor->shape.size() != 4 || values.is_flexible(*buffer)) return false;
  if (values.buffer(*buffer).is_input) return has_channels_last(hints_of(held.tensor->shape), strides_of(*held.tensor));
  return prefers_channels_last[index_of(held.node)];
}

BufferId store_within(LoweredValues& values, NodeId call, const LoweredValue& term, BufferId whole) {
  const std::optional<BufferId> buffer = values.buffer_of(term);
  const bool in_its_slice = !term.view_of && (!buffer || values.is_flexible(values.memory_of(*buffer)));
  const BufferId slice =
      in_its_slice ? values.store(term) : values.copy(call, term, contiguous_strides(hints_of(term.tensor->shape)));
  values.fix_layout(values.memory_of(slice));
  values.buffer(values.memory_of(slice)).within = whole;
  return slice;
}

// GraphLowering.run_node's need_fixed_layout.
bool is_shared_in_order(const LoweredValues& values, const Graph& graph, NodeId call) {
  const auto readers = values.users().of(call);
  return readers.size() > 1 && std::ranges::any_of(readers, [&](NodeId reader) {
    return graph[reader].is_call() && wants_order_of_shared(graph[reader]);
  });
}

}  // namespace

void concatenate(LoweredValues& values, const Graph& graph, NodeId call, const Tensor& result,
                 const std::vector<bool>& prefers_channels_last) {
  const std::vector<LoweredValue> terms = values.inputs_of(graph[call]);
  const BufferId whole = values.add_buffer(call, result, element_bytes(result));
  const bool channels_last =
      std::ranges::any_of(terms, [&](const LoweredValue& term) {
        return term_has_channels_last(values, term, prefers_channels_last);
      });
  values.buffer(whole).contiguous = !channels_last;
  Kernel joined{call, {}, {whole}, {}, {}, false};
  for (const LoweredValue& term : terms) joined.reads.push_back({store_within(values, call, term, whole), {}, 0});
  values.add_kernel(std::move(joined));
  values.hold(call, whole, result);
  if (!channels_last || !is_shared_in_order(values, graph, call)) return;
  const BufferId copied = values.copy(call, values.of(call).front(), contiguous_strides(hints_of(result.shape)));
  values.buffer(copied).contiguous = true;
  values.hold(call, copied, result);
}

}  // namespace fxcut
