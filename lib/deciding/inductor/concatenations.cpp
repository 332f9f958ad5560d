#include "inductor/concatenations.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "inductor/lowering_rules.h"

namespace fxcut {
namespace {

bool has_channels_last_strides(const LoweredValue& held, const Extents& strides) {
  const Extents shape = hints_of(held.tensor->shape);
  return shape.size() == 4 && shape[1] != 1 && has_channels_last(shape, strides);
}

// Fixed layouts of terms count; if no term is stored, traced layouts do, except for paddings.
bool wants_channels_last(LoweredValues& values, const Node& call, std::span<const LoweredValue> terms) {
  const auto is_stored = [&](const LoweredValue& term) { return values.buffer_of(term) && !term.view_of; };
  if (std::ranges::none_of(terms, is_stored)) {
    return call.packet() == "aten.cat" && std::ranges::any_of(terms, [](const LoweredValue& term) {
      return has_channels_last_strides(term, strides_of(*term.tensor));
    });
  }
  return std::ranges::any_of(terms, [&](const LoweredValue& term) {
    return is_stored(term) && !values.is_flexible(*values.buffer_of(term)) &&
           has_channels_last_strides(term, *values.accesses(term).front().strides);
  });
}

BufferId store_within(LoweredValues& values, NodeId call, const LoweredValue& term, BufferId whole, bool channels_last) {
  const std::optional<BufferId> buffer = values.buffer_of(term);
  const Extents shape = hints_of(term.tensor->shape);
  const Extents strides = channels_last ? channels_last_strides(shape) : contiguous_strides(shape);
  const bool in_its_slice = !term.view_of && (!buffer || values.is_flexible(values.memory_of(*buffer)));
  const BufferId slice = in_its_slice ? values.store_in(term, strides) : values.copy(call, term, strides);
  values.fix_layout(values.memory_of(slice));
  values.buffer(values.memory_of(slice)).within = whole;
  return slice;
}

constexpr std::size_t kMaxInlinedTerms = 8;  // config.max_complex_pointwise_cat_inputs

// is_pointwise_use; for views, of the views' readers. With `joins`, concatenations and paddings count too.
bool is_pointwise_use(const LoweredValues& values, const Graph& graph, NodeId reader, bool joins) {
  const Node& node = graph[reader];
  if (!node.is_call()) return false;
  if (joins && is_concatenation_or_padding(node)) return true;
  const Lowering lowering = lowering_of(node);
  if (lowering != Lowering::View) return lowering == Lowering::Pointwise;
  return std::ranges::all_of(values.users().of(reader),
                             [&](NodeId next) { return is_pointwise_use(values, graph, next, joins); });
}

// any_input_has_multi_consumers: others also compute or read the term.
bool is_shared(const LoweredValues& values, const Graph& graph, NodeId call, NodeId term) {
  const auto readers = values.users().of(term);
  if (readers.size() <= 1 || values.of(term).empty()) return false;
  return !values.buffer_of(values.of(term).front()) || std::ranges::any_of(readers, [&](NodeId reader) {
    return reader != call && is_pointwise_use(values, graph, reader, false);
  });
}

// should_lower_cat_input: it could not be written into its slice.
bool would_be_copied(LoweredValues& values, const LoweredValue& term) {
  const std::optional<BufferId> buffer = values.buffer_of(term);
  return !buffer || values.buffer(*buffer).by_library || !values.is_flexible(values.memory_of(*buffer));
}

// can_fuse_reduction: a reduction's result, or computed from one.
bool is_of_reduction(const LoweredValues& values, const LoweredValue& term) {
  if (const std::optional<BufferId> buffer = values.buffer_of(term)) return values.is_reduced(*buffer);
  const std::vector<Access>& reads = values.expression_of(term).reads;
  return std::ranges::any_of(reads, [&](const Access& read) { return values.is_reduced(read.buffer); });
}

// GraphLowering.run_node's need_fixed_layout.
bool is_shared_in_order(const LoweredValues& values, const Graph& graph, NodeId call) {
  const auto readers = values.users().of(call);
  return readers.size() > 1 && std::ranges::any_of(readers, [&](NodeId reader) {
    return graph[reader].is_call() && wants_order_of_shared(graph[reader]);
  });
}

}  // namespace

bool is_inlined(LoweredValues& values, const Graph& graph, NodeId call, std::span<const LoweredValue> terms, bool spares_shared) {
  const auto copied = [&](const LoweredValue& term) { return would_be_copied(values, term); };
  if (terms.size() > kMaxInlinedTerms || std::ranges::none_of(terms, copied)) return false;
  const auto shared = [&](NodeId term) { return is_shared(values, graph, call, term); };
  if (spares_shared && std::ranges::any_of(graph[call].inputs, shared)) return false;
  const bool is_read_pointwise = std::ranges::all_of(values.users().of(call), [&](NodeId reader) {
    return is_pointwise_use(values, graph, reader, true);
  });
  if (is_read_pointwise) return true;
  return std::ranges::all_of(terms, copied) &&
         std::ranges::none_of(terms, [&](const LoweredValue& term) { return is_of_reduction(values, term); });
}

void concatenate(LoweredValues& values, const Graph& graph, NodeId call, std::span<const LoweredValue> terms,
                 const Tensor& result) {
  const BufferId whole = values.add_buffer(call, result, element_bytes(result));
  const Extents shape = hints_of(result.shape);
  const bool channels_last = wants_channels_last(values, graph[call], terms);
  values.lay_out(whole, channels_last ? channels_last_strides(shape) : contiguous_strides(shape));
  Kernel joined{call, {}, {whole}, {}, {}, false};
  for (const LoweredValue& term : terms) joined.reads.push_back({store_within(values, call, term, whole, channels_last), {}, 0});
  values.add_kernel(std::move(joined));
  values.hold(call, whole, result);
  if (!channels_last || !is_shared_in_order(values, graph, call)) return;
  values.hold(call, values.copy(call, values.of(call).front(), contiguous_strides(shape)), result);
}

}  // namespace fxcut
