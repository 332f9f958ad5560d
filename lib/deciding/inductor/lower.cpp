#include "inductor/lower.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "inductor/accesses.h"
#include "inductor/added_products.h"
#include "inductor/library_calls.h"
#include "inductor/lowered_values.h"
#include "inductor/lowering_rules.h"
#include "inductor/reductions.h"

namespace fxcut {
namespace {

// GraphLowering.run_node stores an expression of more operators than this, whoever reads it.
constexpr std::size_t kMostInlined = 100;

std::vector<const Tensor*> tensors_in(const Node& node) {
  const Value* value = node.value ? node.value.get() : node.tensor_meta.get();
  if (!value) return {};
  if (value->is_tensor()) return {&value->tensor};
  std::vector<const Tensor*> tensors;
  for (const Value& item : value->items) tensors.push_back(item.is_tensor() ? &item.tensor : nullptr);
  return tensors;
}

class Lowerer {
 public:
  Lowerer(const Graph& graph, const InductorRules& rules)
      : graph_(graph), rules_(rules), added_(added_products(graph, !rules.joins_calls)), vanishes_(graph.size(), false),
        values_(graph) {
    for (const std::optional<NodeId>& product : added_) {
      if (product) vanishes_[index_of(*product)] = true;
    }
  }

  LoweredGraph run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!vanishes_[i]) lower(node_id(i), graph_.nodes[i]);
    }
    return {values_.take(), std::move(copied_inputs_)};
  }

 private:
  void lower(NodeId id, const Node& node) {
    if (node.is_output()) return store_outputs();
    if (!node.is_call()) return add_input(id, node);
    const std::vector<const Tensor*> tensors = tensors_in(node);
    if (tensors.empty()) return;
    if (added_[index_of(id)]) return call(id, node, tensors);
    if (rules_.concatenates_in_place && node.callee->packet == "aten.cat") return concatenate(id, node, *tensors.front());
    switch (lowering_of(node)) {
      case Lowering::View: return view(id, node, tensors);
      case Lowering::Pointwise: return inline_call(id, node, *tensors.front(), true);
      case Lowering::Indirect: return inline_call(id, node, *tensors.front(), false);
      case Lowering::Reduction: return reduce_or_inline(id, node, tensors);
      case Lowering::Stored: return store_call(id, node, tensors);
      case Lowering::Write: return write(id, node);
      case Lowering::Extern: return call(id, node, tensors);
    }
  }

  void add_input(NodeId id, const Node& node) {
    if (!node.has_tensor()) return;
    const Tensor& tensor = node.value->tensor;
    const auto known = tensor.storage ? inputs_.find(*tensor.storage) : inputs_.end();
    BufferId buffer = 0;
    if (known != inputs_.end()) {
      buffer = known->second;
      values_.buffer(buffer).bytes = std::max(values_.buffer(buffer).bytes, extent_bytes(tensor));
    } else {
      buffer = values_.add_buffer(id, tensor, extent_bytes(tensor));
      values_.buffer(buffer).is_input = true;
      values_.buffer(buffer).unaligned = !rules_.aligned_inputs;
      if (tensor.storage) inputs_.emplace(*tensor.storage, buffer);
    }
    values_.hold(id, buffer, tensor);
  }

  void store_outputs() {
    for (const OutputLeaf& leaf : output_leaves(graph_)) {
      if (!leaf.node) continue;
      for (const Held& held : values_.of(*leaf.node)) {
        if (held.tensor) values_.buffer(values_.store(held)).is_output = true;
      }
    }
  }

  void view(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    if (node.inputs.empty()) return;
    const std::span<const Held> before = values_.of(node.inputs.front());
    if (before.empty()) return;
    const Value* source = graph_[node.inputs.front()].value.get();
    if (node.calls("operator.getitem") && source && !source->is_tensor()) {
      const std::size_t item = static_cast<std::size_t>(node.arguments->positional[1].integer);
      if (item < before.size() && before.size() > 1) return keep_item(id, before[item]);
    }
    if (const std::optional<BufferId> viewed = values_.buffer_of(before.front())) values_.fix_layout(*viewed);
    std::vector<Held> views;
    for (const Tensor* tensor : tensors) {
      views.push_back(values_.viewed(before.front(), id, tensor, static_cast<std::uint32_t>(views.size())));
    }
    values_.hold(id, std::move(views));
    store_if_costly(id);
  }

  void keep_item(NodeId id, const Held& item) {
    if (item.tensor) values_.hold(id, std::vector{item});
    store_if_costly(id);
  }

  void inline_call(NodeId id, const Node& node, const Tensor& tensor, bool same_places) {
    const Extents shape = hints_of(tensor.shape);
    Inlined expression{.node = id, .tensor = &tensor, .operators = {static_cast<std::uint32_t>(index_of(id))},
                       .heavy = is_heavy_on_cpu(node)};
    const bool is_seed = node.callee->packet == "prims.inductor_lookup_seed";  // one of several numbers
    for (const Held& input : values_.inputs_of(node)) {
      const Extents from = hints_of(input.tensor->shape);
      for (const Access& access : values_.accesses(input)) {
        if (is_seed) expression.read({access.buffer, Extents(shape.size(), 0), place_after(access.place, id)});
        else if (same_places) expression.read(broadcast(access, id, from, shape));
        else expression.read({access.buffer, {}, place_after(access.place, id)});
      }
      include(expression, input);
    }
    values_.hold(id, std::move(expression));
    store_if_costly(id);
  }

  // Adds the operators of the input's expression, or a load.
  void include(Inlined& expression, const Held& input) const {
    if (const std::optional<BufferId> buffer = values_.buffer_of(input)) {
      expression.operators.insert(static_cast<std::uint32_t>(graph_.size() + *buffer));
      return;
    }
    const Inlined& inner = values_.expression_of(input);
    expression.operators.insert(inner.operators.begin(), inner.operators.end());
    expression.heavy |= inner.heavy;
  }

  void store_call(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    std::vector<Held> results;
    const bool same_places = node.callee->packet == "prims.inductor_random";  // a stored seed is one place for all numbers
    for (const Tensor* tensor : tensors) {
      if (!tensor) continue;
      inline_call(id, node, *tensor, same_places);
      values_.store(values_.of(id).front());
      results.push_back(values_.of(id).front());
    }
    values_.hold(id, std::move(results));
  }

  // ConcatKernel: a term that nothing has fixed the layout of is written into its slice, others are copied there.
  void concatenate(NodeId id, const Node& node, const Tensor& tensor) {
    const std::vector<Held> terms = values_.inputs_of(node);
    if (terms.size() == 1) return inline_call(id, node, tensor, true);
    const BufferId whole = values_.add_buffer(id, tensor, element_bytes(tensor));
    Kernel joined{id, {}, {whole}, {}, {}, false};
    for (const Held& term : terms) joined.reads.push_back({store_within(id, term, whole), {}, 0});
    values_.add_kernel(std::move(joined));
    values_.hold(id, whole, tensor);
  }

  BufferId store_within(NodeId id, const Held& term, BufferId whole) {
    const std::optional<BufferId> buffer = values_.buffer_of(term);
    const bool in_its_slice = !term.view_of && (!buffer || values_.is_flexible(*buffer));
    const BufferId slice =
        in_its_slice ? values_.store(term) : values_.copy(id, term, contiguous_strides(hints_of(term.tensor->shape)));
    values_.fix_layout(slice);
    values_.buffer(slice).within = whole;
    return slice;
  }

  void reduce_or_inline(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    switch (reduce(values_, graph_, id, tensors)) {
      case Reduced::Stored: return;
      case Reduced::Unrolled: return inline_call(id, node, *tensors.front(), false);
      case Reduced::NoTensor: return call(id, node, tensors);
    }
  }

  void write(NodeId id, const Node& node) {
    const std::vector<Held> inputs = values_.inputs_of(node);
    if (inputs.size() < 2) return;
    const Extents shape = hints_of(inputs[0].tensor->shape), from = hints_of(inputs[1].tensor->shape);
    std::vector<Access> reads;
    for (const Access& access : values_.accesses(inputs[1])) reads.push_back(broadcast(access, id, from, shape));
    const BufferId target = values_.store(inputs[0]);
    values_.add_kernel({id, reads, {}, {target}, loops_of(shape, {}, reads, contiguous_strides(shape))});
    values_.hold(id, std::vector{inputs[0]});
  }

  void call(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    if (rules_.channels_last && node.callee->packet == "aten.convolution") {
      const std::vector<NodeId> copied = copy_to_channels_last(values_, graph_, node);
      copied_inputs_.insert(copied_inputs_.end(), copied.begin(), copied.end());
    }
    call_library(values_, graph_, id, tensors, added_[index_of(id)]);
  }

  // StorageBox.should_realize_on_reuse and has_exceeded_max_reads.
  void store_if_costly(NodeId id) {
    if (values_.of(id).empty()) return;
    const Held held = values_.of(id).front();
    if (!held.tensor || values_.buffer_of(held)) return;
    const Inlined& expression = values_.expression_of(held);
    const std::size_t reads = expression.reads.size();
    const bool large = expression.operators.size() > rules_.most_operators;
    const bool too_large = reads > rules_.most_reads || expression.operators.size() > kMostInlined;
    if (values_.users().of(id).size() > 1) {
      const bool too_large_to_share = large || reads > rules_.most_shared_reads;
      if ((rules_.stores_heavy && expression.heavy) || too_large_to_share) return void(values_.store(held));
      if (store_for_readers(id, held, large)) return;
    }
    if (too_large) values_.store(held);
  }

  // For the readers of a value that has several, in their order.
  bool store_for_readers(NodeId id, const Held& held, bool large) {
    const Inlined& expression = values_.expression_of(held);
    for (const NodeId reader : values_.users().of(id)) {
      const Node& node = graph_[reader];
      if (node.is_output() && !held.view_of && (!expression.reads.empty() || large)) return values_.store(held), true;
      if (!node.is_call() || vanishes_[index_of(reader)] || added_[index_of(reader)] || !wants_buffer_of_shared(node)) continue;
      if (expression.moving_reads() > 1) return values_.store(held), true;
      if (wants_order_of_shared(node)) return store_as_seen(id, held), true;
    }
    return false;
  }

  // A copy in the form of the view, which all readers from here on read (ExternKernel.require_stride_order).
  void store_as_seen(NodeId id, const Held& held) {
    values_.hold(id, values_.copy(id, held, contiguous_strides(hints_of(held.tensor->shape))), *held.tensor);
  }

  const Graph& graph_;
  const InductorRules& rules_;
  const std::vector<std::optional<NodeId>> added_;  // by sum: the product that it computes too
  std::vector<bool> vanishes_;                      // by node: such a product
  LoweredValues values_;
  std::unordered_map<std::int64_t, BufferId> inputs_;  // by storage
  std::vector<NodeId> copied_inputs_;
};

}  // namespace

InductorRules rules_for_cpu() { return {}; }

// realize_opcount_threshold and realize_acc_reads_threshold by default; Triton's kernels.
InductorRules rules_for_gpu() {
  return {.most_operators = 30, .most_reads = 8, .stores_heavy = false, .nests_loops = false, .joins_calls = false,
          .channels_last = false, .aligned_inputs = true, .concatenates_in_place = false};
}

LoweredGraph lower(const Graph& graph, const InductorRules& rules) { return Lowerer(graph, rules).run(); }

}  // namespace fxcut
