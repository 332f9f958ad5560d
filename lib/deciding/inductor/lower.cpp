#include "inductor/lower.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "inductor/accesses.h"
#include "inductor/added_products.h"
#include "inductor/channels_last.h"
#include "inductor/concatenations.h"
#include "inductor/counted_operators.h"
#include "inductor/indices.h"
#include "inductor/library_calls.h"
#include "inductor/lowered_values.h"
#include "inductor/lowering_rules.h"
#include "inductor/max_pooling.h"
#include "inductor/paddings.h"
#include "inductor/reductions.h"
#include "inductor/scatters.h"

namespace fxcut {
namespace {

// GraphLowering.run_node stores an expression of more operators than this, whoever reads it.
constexpr std::size_t kMaxInlinedOperators = 100;

std::vector<const Tensor*> tensors_in(const Node& node) {
  const Value* value = node.value ? node.value.get() : node.tensor_meta.get();
  if (!value) return {};
  if (value->is_tensor()) return {&value->tensor};
  std::vector<const Tensor*> tensors;
  for (const Value& item : value->items) tensors.push_back(item.is_tensor() ? &item.tensor : nullptr);
  return tensors;
}

// On a GPU each graph decides on the layout of its convolutions.
InductorRules rules_in(const Graph& graph, InductorRules rules) {
  if (!rules.nests_loops) rules.channels_last = suits_channels_last(graph, rules.gradients_decide_layout);
  return rules;
}

class Lowerer {
 public:
  Lowerer(const Graph& graph, const InductorRules& rules)
      : graph_(graph), rules_(rules_in(graph, rules)), values_(graph, rules_.channels_last),
        added_(added_products(graph, values_.users(), rules)), vanishes_(graph.size(), false),
        calls_{layout_of_convolutions(graph, rules_), !rules_.nests_loops} {
    for (const std::optional<NodeId>& product : added_) {
      if (product) vanishes_[index_of(*product)] = true;
    }
  }

  LoweredGraph run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!vanishes_[i]) lower(node_id(i), graph_.nodes[i]);
    }
    return {values_.take(), std::move(copied_inputs_), std::move(restrided_)};
  }

 private:
  void lower(NodeId id, const Node& node) {
    lower_by_rule(id, node);
    if (node.is_output() || values_.of(id).empty()) return;
    if (is_read_as_strided(id)) store_as_traced(id);
    if (is_returned(id)) return_in_order(id);
  }

  bool is_returned(NodeId id) const {
    return std::ranges::any_of(values_.users().of(id), [&](NodeId reader) { return graph_[reader].is_output(); });
  }

  // A view is returned as is if its dimensions have the traced order; otherwise it is copied in that order, in full size if it is
  // expanded (GraphLowering.run_node; ExternKernel.require_stride_order).
  void return_in_order(NodeId id) {
    const LoweredValue held = values_.of(id).front();
    if (calls_.on_gpu && graph_[id].is_placeholder()) return return_with_channels_last(id, held);
    store_if_it_reads(held);
    if (!held.view_of || !held.tensor || held.tensor->shape.empty() || !values_.is_loaded(held)) return;
    const Extents shape = hints_of(held.tensor->shape), traced = strides_of(*held.tensor);
    const Access stored = values_.accesses(held).front();
    if (stored.strides && is_ordered_as(shape, *stored.strides, traced)) return;
    values_.hold(id, values_.copy(id, held, dense_strides(shape, traced)), *held.tensor);
  }

  // A saved input near convolutions is copied if these are channels-last (run_node, nodes_prefer_channels_last).
  void return_with_channels_last(NodeId id, const LoweredValue& held) {
    const Extents shape = hints_of(held.tensor->shape), strides = strides_of(*held.tensor);
    if (shape.size() != 4 || !values_.prefers_channels_last(id) || !is_dense(shape, strides)) return;
    if (has_channels_last(shape, strides)) return;
    values_.hold(id, values_.copy(id, held, channels_last_strides(shape)), *held.tensor);
    copied_inputs_.push_back(id);
  }

  // A result of the graph is stored when it is lowered, in a layout that is fixed from then on, unless it is a single number or a
  // constant (GraphLowering.run_node's is_output).
  void store_if_it_reads(const LoweredValue& held) {
    if (!held.tensor || held.tensor->shape.empty()) return;
    if (!values_.buffer_of(held) && values_.expression_of(held).reads.empty()) return;
    values_.fix_layout(values_.memory_of(values_.store(held)));
  }

  bool is_read_as_strided(NodeId id) const {
    return std::ranges::any_of(values_.users().of(id), [&](NodeId reader) {
      return graph_[reader].is_call() && wants_traced_strides(graph_[reader]);
    });
  }

  void store_as_traced(NodeId id) {
    const LoweredValue held = values_.of(id).front();
    if (!held.tensor || values_.buffer_of(held)) return;
    if (held.view_of) return store_as_seen(id, held);
    values_.fix_layout(values_.store(held));
  }

  void lower_by_rule(NodeId id, const Node& node) {
    if (node.is_output()) return store_outputs();
    if (!node.is_call()) return add_input(id, node);
    const std::vector<const Tensor*> tensors = tensors_in(node);
    if (tensors.empty()) return;
    if (added_[index_of(id)]) return call(id, node, tensors);
    if (node.packet() == "aten.cat") return concatenate_or_inline(id, node, *tensors.front());
    if (rules_.concatenates_paddings && padding_at_end(node)) return concatenate_or_inline(id, node, *tensors.front());
    if (is_max_pooling(node) && !values_.inputs_of(node).empty()) return pool(id, node, tensors);
    if (is_scatter(graph_, node) && !values_.of(node.inputs.front()).empty()) {
      return scatter_or_inline(id, node, *tensors.front());
    }
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
    const BufferId buffer = values_.add_buffer(id, tensor, extent_bytes(tensor));
    values_.buffer(buffer).is_input = true;
    values_.buffer(buffer).storage = tensor.storage;
    values_.buffer(buffer).unaligned = !rules_.aligned_inputs;
    values_.hold(id, buffer, tensor);
  }

  void store_outputs() {
    for (const OutputLeaf& leaf : output_leaves(graph_)) {
      if (!leaf.node) continue;
      for (const LoweredValue& held : values_.of(*leaf.node)) {
        if (!held.tensor) continue;
        values_.return_buffer(values_.store(held));
        note_strides(*leaf.node, held);
      }
    }
  }

  void note_strides(NodeId id, const LoweredValue& held) {
    if (held.view_of) return;
    const Access stored = values_.accesses(held).front();
    if (!stored.strides || *stored.strides == strides_of(*held.tensor)) return;
    restrided_.emplace_back(id, *stored.strides);
  }

  void view(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    if (node.inputs.empty()) return;
    const std::span<const LoweredValue> before = values_.of(node.inputs.front());
    if (before.empty()) return;
    const Value* source = graph_[node.inputs.front()].value.get();
    if (node.calls("operator.getitem") && source && !source->is_tensor()) {
      if (before.size() > 1) return take_item(id, before, item_position(node));
    }
    if (!before.front().tensor) return;
    if (const std::optional<BufferId> viewed = values_.buffer_of(before.front())) values_.fix_layout(*viewed);
    LoweredTensors views;
    for (const Tensor* tensor : tensors) {
      views.push_back(values_.viewed(before.front(), id, tensor, static_cast<std::uint32_t>(views.size())));
    }
    values_.hold(id, std::move(views));
    store_if_costly(id);
  }

  void take_item(NodeId id, std::span<const LoweredValue> items, std::optional<std::int64_t> position) {
    if (!position || *position < 0 || static_cast<std::size_t>(*position) >= items.size()) return;
    const LoweredValue item = items[static_cast<std::size_t>(*position)];
    if (item.tensor) values_.hold(id, LoweredTensors{item});
    store_if_costly(id);
  }

  void inline_call(NodeId id, const Node& node, const Tensor& tensor, bool same_places) {
    const Extents shape = hints_of(tensor.shape);
    std::vector<Access> reads;
    const bool is_seed = node.packet() == "prims.inductor_lookup_seed";  // one of several numbers
    const bool gathers = is_gather(graph_, node);
    const LoweredTensors inputs = values_.inputs_of(node);
    for (const LoweredValue& input : inputs) {
      const Extents from = hints_of(input.tensor->shape);
      std::vector<Access> loads = values_.loads(input);
      for (Access& access : loads) {
        if (is_seed) access = {access.buffer, Extents(shape.size(), 0), place_after(access.place, id)};
        else if (same_places) broadcast(access, id, from, shape);
        else if (begins_anew(access, node, shape)) continue;
        else if (gathers && &input != &inputs.front()) {
          access = access_of_index(access, id, from, gathered(graph_, node, shape, from));
        }
        else if (gathers && has_strides(inputs.back())) {
          const Extents of_index = hints_of(inputs.back().tensor->shape);
          access = at_index(access, id, node, from, values_.loads(inputs.back()), gathered(graph_, node, shape, of_index));
        }
        else if (gathers) access = elsewhere(access, id);
        else access = indirect(access, id, node, from, shape);
      }
      if (reads.empty()) reads = std::move(loads);
      else reads.insert(reads.end(), std::move_iterator(loads.begin()), std::move_iterator(loads.end()));
    }
    const bool counts = node.packet() == "prims.iota" || node.packet() == "aten.arange";
    if (counts && shape.size() == 1) reads.push_back({kNoBuffer, Extents{1}});
    values_.hold(id, expression_of(id, node, tensor, inputs, std::move(reads)));
    store_if_costly(id);
  }

  bool has_strides(const LoweredValue& held) const {
    return std::ranges::all_of(values_.accesses(held), [](const Access& access) { return access.strides.has_value(); });
  }

  // `inputs`: of the node.
  Inlined expression_of(NodeId id, const Node& node, const Tensor& tensor, std::span<const LoweredValue> inputs,
                        std::vector<Access> reads) const {
    Inlined expression{.node = id, .tensor = &tensor, .heavy = is_heavy_on_cpu(node)};
    expression.operators.reserve(most_operators(inputs));
    count_operators(expression, node, inputs, rules_);
    expression.read(std::move(reads));
    for (const LoweredValue& input : inputs) include(expression, input);
    return expression;
  }

  // About as many as an expression of the inputs has.
  std::size_t most_operators(std::span<const LoweredValue> inputs) const {
    std::size_t operators = 2;  // its own: a conversion, and what it computes
    for (const LoweredValue& input : inputs) {
      if (!values_.is_loaded(input)) operators += values_.expression_of(input).operators.size();
    }
    return std::min(operators, kMaxInlinedOperators);
  }

  // Adds the operators of the input's expression.
  void include(Inlined& expression, const LoweredValue& input) const {
    if (values_.is_loaded(input)) return;
    const Inlined& inner = values_.expression_of(input);
    expression.heavy |= inner.heavy;
    include_operators(expression, inner, values_.part_of(input));
    for (const NumberIn& constant : inner.constants) {
      if (expression.num_ops() > kMaxInlinedOperators) return;
      expression.constants.insert(constant);
    }
  }

  static void include_operators(Inlined& expression, const Inlined& inner, std::uint64_t part) {
    if (part == 0 && expression.num_ops() + inner.operators.size() <= kMaxInlinedOperators) {
      expression.operators.insert(boost::container::ordered_unique_range, inner.operators.begin(), inner.operators.end());
      return;
    }
    for (const std::uint64_t op : inner.operators) {
      if (expression.num_ops() > kMaxInlinedOperators) return;  // no rule counts further
      expression.compute_part(op, part);
    }
  }

  void store_call(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    LoweredTensors results;
    const bool same_places = node.packet() == "prims.inductor_random";  // a stored seed is one place for all numbers
    for (const Tensor* tensor : tensors) {
      if (!tensor) continue;
      inline_call(id, node, *tensor, same_places);
      values_.store(values_.of(id).front());
      results.push_back(values_.of(id).front());
    }
    values_.hold(id, std::move(results));
  }

  void concatenate_or_inline(NodeId id, const Node& node, const Tensor& tensor) {
    LoweredTensors terms = values_.inputs_of(node);
    if (node.packet() == "aten.cat" && terms.size() == 1) return inline_call(id, node, tensor, true);
    if (node.packet() != "aten.cat") terms.push_back(filling_of(values_, graph_, id, tensor));
    const bool is_expression =
        rules_.inlines_concatenations && is_inlined(values_, graph_, id, terms, rules_.spares_shared_terms);
    if (!is_expression) return concatenate(values_, graph_, id, terms, tensor);
    inline_call(id, node, tensor, false);
  }

  // Results without readers are not computed.
  void pool(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    const std::vector<Access> reads = reads_of_windows(values_, graph_, id);
    const LoweredTensors inputs = values_.inputs_of(node);
    LoweredTensors results;
    for (std::size_t item = 0; item < tensors.size(); ++item) {
      results.push_back({{}, 0, nullptr, id});
      if (!tensors[item] || !takes_item(id, item)) continue;
      results.back() = values_.express(expression_of(id, node, *tensors[item], inputs, reads));
      if (is_stored_of_windows(node, item)) store_with_layout(id, results.back());
    }
    values_.hold(id, std::move(results));
  }

  bool takes_item(NodeId call, std::size_t item) const {
    return std::ranges::any_of(values_.users().of(call), [&](NodeId reader) {
      return item_position(graph_[reader]) == static_cast<std::int64_t>(item);
    });
  }

  void scatter_or_inline(NodeId id, const Node& node, const Tensor& tensor) {
    if (fills_where(graph_, node)) return inline_call(id, node, tensor, true);
    scatter(values_, graph_, id, tensor, rules_);
  }

  void reduce_or_inline(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    switch (reduce(values_, graph_, id, tensors, rules_)) {
      case Reduced::Stored: return store_if_costly(id);
      case Reduced::Unrolled: return unroll(id, node, *tensors.front());
      case Reduced::NoTensor: return call(id, node, tensors);
    }
  }

  // For few elements: each is computed and added to those before it.
  void unroll(NodeId id, const Node& node, const Tensor& tensor) {
    const LoweredTensors inputs = values_.inputs_of(node);
    const LoweredValue& input = inputs.front();
    Inlined expression = expression_of(id, node, tensor, inputs, unrolled_reads(values_, graph_, id, tensor));
    const std::int64_t results = std::max<std::int64_t>(product(hints_of(tensor.shape)), 1);
    const std::int64_t elements = product(hints_of(input.tensor->shape)) / results;
    if (elements <= 1) expression.operators.erase((std::uint64_t{1} << 32) + index_of(id));
    for (std::int64_t i = 1; i < std::min<std::int64_t>(elements, kMaxInlinedOperators); ++i) {
      if (i > 1) expression.compute_again(static_cast<std::uint64_t>(i));
      if (!values_.is_loaded(input)) expression.compute_again(values_.expression_of(input), static_cast<std::uint64_t>(i));
    }
    values_.hold(id, std::move(expression));
    store_if_costly(id);
  }

  void write(NodeId id, const Node& node) {
    const LoweredTensors inputs = values_.inputs_of(node);
    if (inputs.size() < 2) return;
    const Extents shape = hints_of(inputs[0].tensor->shape), from = hints_of(inputs[1].tensor->shape);
    std::vector<Access> reads = values_.loads(inputs[1]);
    for (Access& access : reads) broadcast(access, id, from, shape);
    const BufferId target = values_.store(inputs[0]);
    values_.add_kernel({id, reads, {}, {target}, loops_of(shape, {}, reads, contiguous_strides(shape))});
    values_.hold(id, LoweredTensors{inputs[0]});
  }

  void call(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    if (rules_.channels_last && node.packet() == "aten.convolution") {
      const std::vector<NodeId> copied = copy_to_channels_last(values_, graph_, node);
      copied_inputs_.insert(copied_inputs_.end(), copied.begin(), copied.end());
    }
    call_library(values_, graph_, id, tensors, added_[index_of(id)], calls_);
    const std::optional<NodeId> bias = bias_of_convolution(node);
    if (calls_.on_gpu && bias && !values_.of(*bias).empty()) add_bias(id, values_.of(*bias).front());
  }

  // On a GPU it is added to the result of a convolution, not by the library (inductor/kernel/conv.py, convolution).
  void add_bias(NodeId id, const LoweredValue& bias) {
    const LoweredValue result = values_.of(id).front();
    const Extents shape = hints_of(result.tensor->shape);
    Inlined expression{.node = id, .tensor = result.tensor};
    expression.compute(1);
    for (const Access& access : values_.loads(result)) expression.read(access);
    for (const Access& access : values_.loads(bias)) {
      if (!access.strides || access.strides->size() != 1 || shape.size() < 2) expression.read(elsewhere(access, id));
      else {
        Access along_channels = access;
        along_channels.strides = Extents(shape.size(), 0);
        (*along_channels.strides)[1] = access.strides->front();
        expression.read(along_channels);
      }
    }
    include(expression, bias);
    values_.hold(id, std::move(expression));
    store_if_costly(id);
  }

  // StorageBox.should_realize_on_reuse and has_exceeded_max_reads. An expression that reads nothing stays one even if it is
  // stored (ComputedBuffer.make_loader), and the buffer is not read.
  void store_if_costly(NodeId id) {
    if (values_.of(id).empty()) return;
    const LoweredValue held = values_.of(id).front();
    if (!held.tensor || values_.buffer_of(held)) return;
    const Inlined& expression = values_.expression_of(held);
    const std::size_t reads = expression.reads.size();
    const bool large = expression.num_ops() > rules_.max_operators;
    const bool too_large =
        ((reads > rules_.max_reads || large) && expression.moving_reads() > 1) || expression.num_ops() > kMaxInlinedOperators;
    if (values_.users().of(id).size() > 1) {
      const bool too_large_to_share = large || reads > rules_.max_shared_reads;
      if (reads > 0 && ((rules_.stores_heavy && expression.heavy) || too_large_to_share)) return store_with_layout(id, held);
      if (store_for_readers(id, held, large)) return;
    }
    if (reads > 0 && too_large) store_with_layout(id, held);
  }

  // maybe_apply_channels_last_stride_order.
  void store_with_layout(NodeId id, const LoweredValue& held) {
    const Extents shape = hints_of(held.tensor->shape);
    if (shape.size() != 4 || !values_.prefers_channels_last(id)) values_.store(held);
    else values_.fix_layout(held.view_of ? values_.store(held) : values_.store_in(held, channels_last_strides(shape)));
  }

  // Stores a value with several readers if one of them, in their order, requires it.
  bool store_for_readers(NodeId id, const LoweredValue& held, bool large) {
    const Inlined& expression = values_.expression_of(held);
    for (const NodeId reader : values_.users().of(id)) {
      const Node& node = graph_[reader];
      if (node.is_output() && held.view_of) {
        LoweredValue seen = held;
        seen.buffer = values_.store(held);
        values_.hold(id, LoweredTensors{seen});
        return true;
      }
      if (node.is_output() && (!expression.reads.empty() || large)) return values_.store(held), true;
      if (!node.is_call() || vanishes_[index_of(reader)] || added_[index_of(reader)] || !wants_buffer_of_shared(node)) continue;
      if (expression.moving_reads() > 1) return values_.store(held), true;
      if (wants_order_of_shared(node)) return store_as_seen(id, held), true;
    }
    return false;
  }

  // Stores a copy in the shape of the view, which all later readers read (ExternKernel.require_stride_order).
  void store_as_seen(NodeId id, const LoweredValue& held) {
    const Extents shape = hints_of(held.tensor->shape), traced = strides_of(*held.tensor);
    values_.hold(id, values_.copy(id, held, is_dense(shape, traced) ? traced : contiguous_strides(shape)), *held.tensor);
  }

  const Graph& graph_;
  const InductorRules rules_;
  LoweredValues values_;
  const std::vector<std::optional<NodeId>> added_;  // by sum: the product it absorbs
  std::vector<bool> vanishes_;                      // by node: whether it is such a product
  const LibraryRules calls_;
  std::vector<NodeId> copied_inputs_;
  std::vector<std::pair<NodeId, Extents>> restrided_;
};

}  // namespace

LoweredGraph lower(const Graph& graph, const InductorRules& rules) { return Lowerer(graph, rules).run(); }

}  // namespace fxcut
