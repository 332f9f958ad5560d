#include "inductor/lower.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "inductor/accesses.h"
#include "inductor/added_products.h"
#include "inductor/lowering_rules.h"

namespace fxcut {
namespace {

// GraphLowering.run_node stores an expression of more operators than this, whoever reads it.
constexpr std::size_t kMostInlined = 100;
// torch._inductor.config.unroll_reductions_threshold: a reduction of no more elements is an expression.
constexpr std::int64_t kMostUnrolled = 8;

// A value that is computed in the kernels that read it, until it is stored.
struct Inlined {
  NodeId node{0};
  const Tensor* tensor = nullptr;
  std::vector<Access> reads;
  std::set<std::uint32_t> operators;  // the nodes of the expression, and its loads
  bool heavy = false;
  std::optional<BufferId> stored;
  Extents strides;  // once it is stored
};

// The tensor of a node: a buffer, or an expression, through any number of views.
struct Held {
  std::optional<BufferId> buffer;
  std::size_t inlined = 0;  // if there is no buffer
  const Tensor* tensor = nullptr;
  NodeId node{0};
  std::optional<std::size_t> view_of;  // a view: the position of what it views in `viewed_`
  std::uint32_t part = 0;              // of a view with several results, such as a split: its number
};

std::vector<const Tensor*> tensors_in(const Node& node) {
  const Value* value = node.value ? node.value.get() : node.tensor_meta.get();
  if (!value) return {};
  if (value->is_tensor()) return {&value->tensor};
  std::vector<const Tensor*> tensors;
  for (const Value& item : value->items) tensors.push_back(item.is_tensor() ? &item.tensor : nullptr);
  return tensors;
}

bool has_channels_last(const Extents& shape, const Extents& strides) {
  const Extents wanted{shape[1] * shape[2] * shape[3], 1, shape[3] * shape[1], shape[1]};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1 && strides[i] != wanted[i]) return false;
  }
  return true;
}

class Lowerer {
 public:
  Lowerer(const Graph& graph, const InductorRules& rules)
      : graph_(graph), users_(graph), rules_(rules), added_(added_products(graph, !rules.joins_calls)),
        vanishes_(graph.size(), false), values_(graph.size()) {
    for (const std::optional<NodeId>& product : added_) {
      if (product) vanishes_[index_of(*product)] = true;
    }
  }

  LoweredGraph run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!vanishes_[i]) lower(node_id(i), graph_.nodes[i]);
    }
    return std::move(result_);
  }

 private:
  void lower(NodeId id, const Node& node) {
    if (node.is_output()) return store_outputs();
    if (!node.is_call()) return add_input(id, node);
    const std::vector<const Tensor*> tensors = tensors_in(node);
    if (tensors.empty()) return;
    if (added_[index_of(id)]) return call_library(id, node, tensors);
    if (rules_.concatenates_in_place && node.callee->packet == "aten.cat") return concatenate(id, node, *tensors.front());
    switch (lowering_of(node)) {
      case Lowering::View: return view(id, node, tensors);
      case Lowering::Pointwise: return inline_call(id, node, *tensors.front(), true);
      case Lowering::Indirect: return inline_call(id, node, *tensors.front(), false);
      case Lowering::Reduction: return reduce(id, node, tensors);
      case Lowering::Stored: return store_call(id, node, tensors);
      case Lowering::Write: return write(id, node);
      case Lowering::Extern: return call_library(id, node, tensors);
    }
  }

  void add_input(NodeId id, const Node& node) {
    if (!node.has_tensor()) return;
    const Tensor& tensor = node.value->tensor;
    const auto known = tensor.storage ? inputs_.find(*tensor.storage) : inputs_.end();
    BufferId buffer = 0;
    if (known != inputs_.end()) {
      buffer = known->second;
      buffers()[buffer].bytes = std::max(buffers()[buffer].bytes, extent_bytes(tensor));
    } else {
      buffer = add_buffer(id, tensor, extent_bytes(tensor));
      buffers()[buffer].is_input = true;
      buffers()[buffer].unaligned = !rules_.aligned_inputs;
      if (tensor.storage) inputs_.emplace(*tensor.storage, buffer);
    }
    hold(id, buffer, tensor);
  }

  void store_outputs() {
    for (const OutputLeaf& leaf : output_leaves(graph_)) {
      if (!leaf.node) continue;
      for (const Held& held : values_[index_of(*leaf.node)]) {
        if (held.tensor) buffers()[store(held)].is_output = true;
      }
    }
  }

  void view(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    if (node.inputs.empty()) return;
    const std::vector<Held>& before = values_[index_of(node.inputs.front())];
    if (before.empty()) return;
    const Value* source = graph_[node.inputs.front()].value.get();
    if (node.calls("operator.getitem") && source && !source->is_tensor()) {
      const std::size_t item = static_cast<std::size_t>(node.arguments->positional[1].integer);
      if (item < before.size() && before.size() > 1) return keep_item(id, before[item]);
    }
    if (const std::optional<BufferId> viewed = buffer_of(before.front())) flexible_.erase(*viewed);
    std::vector<Held> views;
    for (const Tensor* tensor : tensors) {
      Held held = before.front();
      viewed_.push_back(before.front());
      held.view_of = viewed_.size() - 1;
      held.tensor = tensor;
      held.node = id;
      held.part = static_cast<std::uint32_t>(views.size());
      views.push_back(held);
    }
    values_[index_of(id)] = std::move(views);
    store_if_costly(id);
  }

  void keep_item(NodeId id, const Held& item) {
    if (item.tensor) values_[index_of(id)] = {item};
    store_if_costly(id);
  }

  void inline_call(NodeId id, const Node& node, const Tensor& tensor, bool same_places) {
    const Extents shape = hints_of(tensor.shape);
    Inlined expression{id, &tensor, {}, {static_cast<std::uint32_t>(index_of(id))}, is_heavy_on_cpu(node), {}, {}};
    const bool is_seed = node.callee->packet == "prims.inductor_lookup_seed";  // one of several numbers
    for (const Held& input : tensor_inputs(node)) {
      const Extents from = hints_of(input.tensor->shape);
      for (const Access& access : accesses(input)) {
        if (is_seed) add_read(expression, {access.buffer, Extents(shape.size(), 0), place_after(access.place, id)});
        else if (same_places) add_read(expression, broadcast(access, id, from, shape));
        else add_read(expression, {access.buffer, {}, place_after(access.place, id)});
      }
      include(expression, input);
    }
    inlined_.push_back(std::move(expression));
    hold_inlined(id, tensor);
    store_if_costly(id);
  }

  void store_call(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    std::vector<Held> results;
    const bool same_places = node.callee->packet == "prims.inductor_random";  // a stored seed is one place for all numbers
    for (const Tensor* tensor : tensors) {
      if (!tensor) continue;
      inline_call(id, node, *tensor, same_places);
      store(values_[index_of(id)].front());
      results.push_back(values_[index_of(id)].front());
    }
    values_[index_of(id)] = std::move(results);
  }

  // ConcatKernel: a term that nothing has fixed the layout of is written into its slice, others are copied there.
  void concatenate(NodeId id, const Node& node, const Tensor& tensor) {
    const std::vector<Held> terms = tensor_inputs(node);
    if (terms.size() == 1) return inline_call(id, node, tensor, true);
    const BufferId whole = add_buffer(id, tensor, element_bytes(tensor));
    Kernel joined{id, {}, {whole}, {}, {}, false};
    for (const Held& term : terms) joined.reads.push_back({store_within(id, term, whole), {}, 0});
    kernels().push_back(std::move(joined));
    hold(id, whole, tensor);
  }

  BufferId store_within(NodeId id, const Held& term, BufferId whole) {
    BufferId slice = 0;
    if (!term.view_of && (!buffer_of(term) || flexible_.contains(*buffer_of(term)))) {
      slice = store(term);
    } else {
      const Extents shape = hints_of(term.tensor->shape);
      const std::vector<Access> reads = accesses(term);
      slice = add_buffer(id, *term.tensor, element_bytes(*term.tensor));
      kernels().push_back({id, reads, {slice}, {}, loops_of(shape, {}, reads, contiguous_strides(shape))});
    }
    flexible_.erase(slice);
    buffers()[slice].within = whole;
    return slice;
  }

  void reduce(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    const std::vector<Held> inputs = tensor_inputs(node);
    if (inputs.empty() || !tensors.front()) return call_library(id, node, tensors);
    const Extents shape = hints_of(inputs.front().tensor->shape);
    const auto [outer, reduced] = split_dimensions(node, shape);
    std::vector<Access> reads;
    for (const Access& access : accesses(inputs.front())) reads.push_back(reordered(access, id, shape, outer, reduced));
    const Extents outer_sizes = pick(shape, outer), reduced_sizes = pick(shape, reduced);
    if (product(reduced_sizes) <= kMostUnrolled && tensors.size() == 1) return inline_call(id, node, *tensors.front(), false);
    Kernel kernel{id, reads, {}, {}, loops_of(outer_sizes, reduced_sizes, reads, contiguous_strides(outer_sizes))};
    std::vector<Held> results;
    for (const Tensor* tensor : tensors) {
      if (!tensor) continue;
      const BufferId buffer = add_buffer(id, *tensor, element_bytes(*tensor));
      kernel.writes.push_back(buffer);
      flexible_.insert(buffer);
      results.push_back({buffer, 0, tensor, id, {}, 0});
    }
    kernels().push_back(std::move(kernel));
    values_[index_of(id)] = std::move(results);
  }

  void write(NodeId id, const Node& node) {
    const std::vector<Held> inputs = tensor_inputs(node);
    if (inputs.size() < 2) return;
    const Extents shape = hints_of(inputs[0].tensor->shape);
    std::vector<Access> reads;
    for (const Access& access : accesses(inputs[1])) {
      reads.push_back(broadcast(access, id, hints_of(inputs[1].tensor->shape), shape));
    }
    const BufferId target = store(inputs[0]);
    kernels().push_back({id, reads, {}, {target}, loops_of(shape, {}, reads, contiguous_strides(shape))});
    values_[index_of(id)] = {inputs[0]};
  }

  void call_library(NodeId id, const Node& node, const std::vector<const Tensor*>& tensors) {
    if (rules_.channels_last && node.callee->packet == "aten.convolution") copy_to_channels_last(node);
    Kernel call{id, {}, {}, {}, {}};
    const bool copies = is_attention(node);
    for (const Held& input : tensor_inputs(node)) {
      call.reads.push_back({copies && wants_copy(input) ? copy_for(id, input) : store(input), {}, 0});
    }
    if (const std::optional<NodeId> product = added_[index_of(id)]) {
      for (const Held& input : tensor_inputs(graph_[*product])) call.reads.push_back({store(input), {}, 0});
    }
    for (const Access& read : call.reads) flexible_.erase(read.buffer);
    const bool unaligned = !added_[index_of(id)] && is_fallback(node) &&
                           std::ranges::any_of(call.reads, [&](const Access& read) { return buffers()[read.buffer].unaligned; });
    std::vector<Held> results;
    for (const Tensor* tensor : tensors) {
      Held result{{}, 0, tensor, id, {}, 0};
      if (tensor) {
        result.buffer = add_buffer(id, *tensor, extent_bytes(*tensor));
        buffers()[*result.buffer].by_library = !added_[index_of(id)] && !writes_into_buffer(node);
        buffers()[*result.buffer].unaligned = unaligned;
        call.writes.push_back(*result.buffer);
      }
      results.push_back(result);
    }
    kernels().push_back(std::move(call));
    values_[index_of(id)] = std::move(results);
  }

  bool wants_copy(const Held& input) const {
    const Extents shape = hints_of(input.tensor->shape), strides = strides_of(*input.tensor);
    return !buffer_of(input) || (!shape.empty() && strides_of_attention(shape, strides) != strides);
  }

  static Extents strides_of_attention(const Extents& shape, const Extents& traced) {
    const bool last_is_innermost =
        traced.empty() || std::ranges::all_of(traced, [&](std::int64_t stride) { return traced.back() <= stride; });
    return last_is_innermost ? traced : contiguous_strides(shape);
  }

  // For this call only.
  BufferId copy_for(NodeId id, const Held& input) {
    const Extents shape = hints_of(input.tensor->shape), traced = strides_of_attention(shape, strides_of(*input.tensor));
    const std::vector<Access> reads = accesses(input);
    const BufferId copy = add_buffer(id, *input.tensor, element_bytes(*input.tensor));
    kernels().push_back(
        {id, reads, {copy}, {}, loops_of(shape, {}, reads, is_dense(shape, traced) ? traced : contiguous_strides(shape))});
    return copy;
  }

  // Inputs of the graph only: what a kernel makes is made with channels last.
  void copy_to_channels_last(const Node& convolution) {
    for (std::size_t position = 0; position < 2 && position < convolution.inputs.size(); ++position) {
      const NodeId id = convolution.inputs[position];
      const Node& input = graph_[id];
      if (!input.is_placeholder() || !input.has_tensor() || values_[index_of(id)].empty()) continue;
      const Held held = values_[index_of(id)].front();
      const Extents shape = hints_of(held.tensor->shape), strides = strides_of(*held.tensor);
      if (shape.size() != 4 || !buffers()[*held.buffer].is_input || has_channels_last(shape, strides)) continue;
      const std::vector<Access> reads = accesses(held);
      const BufferId copy = add_buffer(id, *held.tensor, element_bytes(*held.tensor));
      kernels().push_back({id, reads, {copy}, {}, loops_of(shape, {}, reads, strides)});
      hold(id, copy, *held.tensor);
      result_.copied_inputs.push_back(id);
    }
  }

  // --- values

  std::vector<Held> tensor_inputs(const Node& node) const {
    std::vector<Held> inputs;
    for (const NodeId input : node.inputs) {
      for (const Held& held : values_[index_of(input)]) {
        if (held.tensor) inputs.push_back(held);
      }
    }
    return inputs;
  }

  std::optional<BufferId> buffer_of(const Held& held) const {
    return held.buffer ? held.buffer : inlined_[held.inlined].stored;
  }

  // The reads of the value over its shape.
  std::vector<Access> accesses(const Held& held) const {
    if (held.buffer) return {{*held.buffer, strides_of(*held.tensor), 0}};
    if (!held.view_of) {
      const Inlined& expression = inlined_[held.inlined];
      return expression.stored ? std::vector<Access>{{*expression.stored, expression.strides, 0}} : expression.reads;
    }
    const Held& before = viewed_[*held.view_of];
    const Extents from = hints_of(before.tensor->shape), to = hints_of(held.tensor->shape);
    std::vector<Access> result;
    for (const Access& access : accesses(before)) {
      result.push_back(through_view(access, graph_[held.node], held.part, from, to));
    }
    return result;
  }

  BufferId store(const Held& held) {
    if (const std::optional<BufferId> buffer = buffer_of(held)) return *buffer;
    Inlined& expression = inlined_[held.inlined];
    const Extents shape = hints_of(expression.tensor->shape);
    const BufferId buffer = add_buffer(expression.node, *expression.tensor, element_bytes(*expression.tensor));
    expression.strides = layout_of(expression, shape);
    kernels().push_back(
        {expression.node, expression.reads, {buffer}, {}, loops_of(shape, {}, expression.reads, expression.strides)});
    expression.stored = buffer;
    flexible_.insert(buffer);
    return buffer;
  }

  // As its readers fix it, or as it reads (Buffer.freeze_layout, ComputedBuffer.decide_layout).
  Extents layout_of(const Inlined& expression, const Extents& shape) const {
    const Extents traced = strides_of(*expression.tensor);
    for (const NodeId reader : users_.of(expression.node)) {
      const Node& node = graph_[reader];
      const Lowering lowering = node.is_call() ? lowering_of(node) : Lowering::View;
      if (node.is_output() || is_attention(node)) return is_dense(shape, traced) ? traced : contiguous_strides(shape);
      if (lowering == Lowering::View || lowering == Lowering::Extern) return contiguous_strides(shape);
    }
    return strides_as_read(shape, expression.reads);
  }

  void store_if_costly(NodeId id) {
    if (values_[index_of(id)].empty()) return;
    const Held held = values_[index_of(id)].front();
    if (!held.tensor || buffer_of(held)) return;
    const Inlined& expression = inlined_[held.inlined];
    const std::size_t reads = expression.reads.size();
    const bool large = expression.operators.size() > rules_.most_operators;
    if (users_.of(id).size() > 1) {
      if ((rules_.stores_heavy && expression.heavy) || large || reads > rules_.most_shared_reads) return void(store(held));
      if (store_for_readers(id, held, large)) return;
    }
    if (reads > rules_.most_reads || expression.operators.size() > kMostInlined) store(held);
  }

  // For the readers of a value that has several, in their order.
  bool store_for_readers(NodeId id, const Held& held, bool large) {
    const Inlined& expression = inlined_[held.inlined];
    for (const NodeId reader : users_.of(id)) {
      const Node& node = graph_[reader];
      if (node.is_output() && !held.view_of && (!expression.reads.empty() || large)) return store(held), true;
      if (!node.is_call() || vanishes_[index_of(reader)] || added_[index_of(reader)] || !wants_buffer_of_shared(node)) continue;
      if (moving_reads(expression) > 1) return store(held), true;
      if (wants_order_of_shared(node)) return store_as_seen(id, held), true;
    }
    return false;
  }

  // A copy in the form of the view, which all readers from here on read (ExternKernel.require_stride_order).
  void store_as_seen(NodeId id, const Held& held) {
    const Extents shape = hints_of(held.tensor->shape);
    const std::vector<Access> reads = accesses(held);
    const BufferId buffer = add_buffer(id, *held.tensor, element_bytes(*held.tensor));
    kernels().push_back({id, reads, {buffer}, {}, loops_of(shape, {}, reads, contiguous_strides(shape))});
    hold(id, buffer, *held.tensor);
  }

  // Reads at more than one place (OpCounterCSE.nontrivial_read_count).
  static std::size_t moving_reads(const Inlined& expression) {
    return static_cast<std::size_t>(std::ranges::count_if(expression.reads, [](const Access& read) {
      return !read.strides || std::ranges::any_of(*read.strides, [](std::int64_t stride) { return stride != 0; });
    }));
  }

  static void add_read(Inlined& expression, Access access) {
    if (std::ranges::find(expression.reads, access) == expression.reads.end()) expression.reads.push_back(std::move(access));
  }

  // Adds the operators of the input's expression, or a load.
  void include(Inlined& expression, const Held& input) const {
    if (buffer_of(input)) {
      expression.operators.insert(static_cast<std::uint32_t>(graph_.size() + *buffer_of(input)));
      return;
    }
    const Inlined& inner = inlined_[input.inlined];
    expression.operators.insert(inner.operators.begin(), inner.operators.end());
    expression.heavy |= inner.heavy;
  }

  void hold(NodeId id, BufferId buffer, const Tensor& tensor) { values_[index_of(id)] = {{buffer, 0, &tensor, id, {}, 0}}; }
  void hold_inlined(NodeId id, const Tensor& tensor) {
    values_[index_of(id)] = {{{}, inlined_.size() - 1, &tensor, id, {}, 0}};
  }

  BufferId add_buffer(NodeId id, const Tensor& tensor, std::int64_t bytes) {
    buffers().push_back({.node = id, .bytes = bytes, .elements = product(hints_of(tensor.shape)), .dtype = tensor.dtype});
    return static_cast<BufferId>(buffers().size() - 1);
  }

  // --- reductions

  // The dimensions that stay, and those that are reduced.
  static std::pair<std::vector<std::size_t>, std::vector<std::size_t>> split_dimensions(const Node& node, const Extents& shape) {
    std::vector<bool> is_reduced(shape.size(), false);
    bool given = false;
    const auto& arguments = node.arguments->positional;
    const auto mark = [&](const Argument& position) {
      if (position.kind != Argument::Kind::Int) return;
      const std::int64_t at = position.integer + (position.integer < 0 ? static_cast<std::int64_t>(shape.size()) : 0);
      if (at >= 0 && at < static_cast<std::int64_t>(shape.size())) is_reduced[static_cast<std::size_t>(at)] = given = true;
    };
    if (arguments.size() > 1) {
      mark(arguments[1]);
      for (const Argument& item : arguments[1].items) mark(item);
    }
    std::pair<std::vector<std::size_t>, std::vector<std::size_t>> split;
    for (std::size_t i = 0; i < shape.size(); ++i) (!given || is_reduced[i] ? split.second : split.first).push_back(i);
    return split;
  }

  static Extents pick(const Extents& of, const std::vector<std::size_t>& positions) {
    Extents picked;
    for (const std::size_t position : positions) picked.push_back(of[position]);
    return picked;
  }

  static Access reordered(const Access& access, NodeId id, const Extents& shape, const std::vector<std::size_t>& outer,
                          const std::vector<std::size_t>& reduced) {
    if (!access.strides) return access;
    if (access.strides->size() != shape.size()) return {access.buffer, {}, place_after(access.place, id)};
    Extents strides = pick(*access.strides, outer);
    const Extents inner = pick(*access.strides, reduced);
    strides.insert(strides.end(), inner.begin(), inner.end());
    return {access.buffer, std::move(strides), access.place};
  }

  std::vector<Buffer>& buffers() { return result_.program.buffers; }
  std::vector<Kernel>& kernels() { return result_.program.kernels; }

  const Graph& graph_;
  const Users users_;
  const InductorRules& rules_;
  const std::vector<std::optional<NodeId>> added_;  // by sum: the product that it computes too
  std::vector<bool> vanishes_;                      // by node: such a product
  std::vector<std::vector<Held>> values_;  // by node: its tensors
  std::vector<Held> viewed_;
  std::vector<Inlined> inlined_;
  std::unordered_map<std::int64_t, BufferId> inputs_;  // by storage
  std::unordered_set<BufferId> flexible_;              // of which no reader has fixed the layout
  LoweredGraph result_;
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
