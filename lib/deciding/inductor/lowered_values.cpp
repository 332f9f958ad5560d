#include "inductor/lowered_values.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "inductor/channels_last.h"
#include "inductor/lowering_rules.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxPositions = 16;  // our own: per expression; a few already keep all loops apart
constexpr std::uint32_t kMaxTimes = 1'000'000;  // our own: 2^20, 20 operators in a row that each read a value twice

constexpr std::uint64_t kOnNumbers = std::uint64_t{0xff} << 56;  // operators on numbers are above those of all nodes

// Whether the view is described by strides, or is a copy.
bool reshapes(const Node& view) {
  constexpr std::string_view kPackets[] = {"aten._unsafe_view", "aten.reshape", "aten.view"};
  return std::ranges::find(kPackets, view.callee->packet) != std::end(kPackets);
}

void load_again(Access& access, std::uint32_t times) { access.times = std::min(access.times + times, kMaxTimes); }

}  // namespace

void Inlined::compute(std::size_t count) {
  for (std::uint64_t i = 1; i <= count; ++i) operators.insert((i << 32) + index_of(node));
}

void Inlined::compute_again(std::uint64_t copy) { operators.insert((copy << 48) + (std::uint64_t{1} << 32) + index_of(node)); }

void Inlined::compute_again(const Inlined& inner, std::uint64_t copy) {
  for (const std::uint64_t op : inner.operators) {
    if (op < kOnNumbers) operators.insert(op + (copy << 48));
  }
}

void Inlined::compute_part(std::uint64_t op, std::uint64_t part) {
  const bool is_same = op >= kOnNumbers || part == 0;
  operators.insert(is_same ? op : (op ^ part) & ~kOnNumbers);
}

void Inlined::compute(OnNumber what, std::int64_t number) {
  operators.insert(kOnNumbers | static_cast<std::uint64_t>(what) << 48 | (static_cast<std::uint64_t>(number) & 0xffff'ffff'ffff));
}

void Inlined::read(Access access) {
  std::vector<Access>& known = access.is_position() ? positions : reads;
  const auto found = std::ranges::find(known, access);
  if (found == known.end()) known.push_back(std::move(access));
  else load_again(*found, access.times);
  if (positions.size() > kMaxPositions) positions.pop_back();
}

// Mostly the first that it reads, which then stay where they are.
void Inlined::read(std::vector<Access> accesses) {
  if (!reads.empty() || std::ranges::any_of(accesses, &Access::is_position)) {
    for (Access& access : accesses) read(std::move(access));
    return;
  }
  reads = std::move(accesses);
  auto end = reads.begin();  // of the distinct ones
  for (auto each = end; each != reads.end(); ++each) {
    if (const auto same = std::find(reads.begin(), end, *each); same != end) {
      load_again(*same, each->times);
    } else {
      if (each != end) *end = std::move(*each);
      ++end;
    }
  }
  reads.erase(end, reads.end());
}

std::vector<Access> Inlined::accesses() const {
  std::vector<Access> all = reads;
  all.insert(all.end(), positions.begin(), positions.end());
  return all;
}

std::size_t Inlined::moving_reads() const {
  return static_cast<std::size_t>(std::ranges::count_if(reads, [](const Access& read) {
    return !read.strides || std::ranges::any_of(*read.strides, [](std::int64_t stride) { return stride != 0; });
  }));
}

LoweredValues::LoweredValues(const Graph& graph, bool channels_last)
    : graph_(graph), users_(graph),
      prefers_channels_last_(channels_last ? prefer_channels_last(graph, users_) : std::vector<bool>(graph.size(), false)),
      values_(graph.size()) {
  inlined_.reserve(graph.size());  // about as many
  program_.buffers.reserve(graph.size());
  program_.kernels.reserve(graph.size());
}

std::span<const LoweredValue> LoweredValues::of(NodeId node) const { return values_[index_of(node)]; }

LoweredTensors LoweredValues::inputs_of(const Node& call) const {
  const std::optional<std::size_t> of_shape = input_of_shape(call);
  LoweredTensors inputs;
  for (std::size_t position = 0; position < call.inputs.size(); ++position) {
    if (position == of_shape) continue;
    for (const LoweredValue& held : values_[index_of(call.inputs[position])]) {
      if (held.tensor) inputs.push_back(held);
    }
  }
  return inputs;
}

void LoweredValues::hold(NodeId node, LoweredTensors tensors) { values_[index_of(node)] = std::move(tensors); }

void LoweredValues::hold(NodeId node, BufferId buffer, const Tensor& tensor) {
  values_[index_of(node)] = LoweredTensors{{buffer, 0, &tensor, node}};
}

void LoweredValues::hold(NodeId node, Inlined expression) {
  values_[index_of(node)] = LoweredTensors{express(std::move(expression))};
}

LoweredValue LoweredValues::express(Inlined expression) {
  LoweredValue held{{}, inlined_.size(), expression.tensor, expression.node};
  inlined_.push_back(std::move(expression));
  return held;
}

LoweredValue LoweredValues::viewed(const LoweredValue& before, NodeId view, const Tensor* tensor, std::uint32_t part) {
  viewed_.push_back(before);
  return {before.buffer, before.inlined, tensor, view, viewed_.size() - 1, part};
}

std::uint64_t LoweredValues::part_of(const LoweredValue& held) const {
  std::uint64_t part = 0;
  for (const LoweredValue* view = &held; view->view_of; view = &viewed_[*view->view_of]) {
    const Tensor *const whole = viewed_[*view->view_of].tensor, *const seen = view->tensor;
    const bool is_slice = whole && seen && product(hints_of(seen->shape)) < product(hints_of(whole->shape));
    if (is_slice) part = place_after(part + view->part, view->node);
  }
  return part;
}

std::optional<BufferId> LoweredValues::buffer_of(const LoweredValue& held) const {
  return held.buffer ? held.buffer : inlined_[held.inlined].stored;
}

bool LoweredValues::is_loaded(const LoweredValue& held) const {
  return held.buffer || (inlined_[held.inlined].stored && !inlined_[held.inlined].reads.empty());
}

std::vector<Access> LoweredValues::loads(const LoweredValue& held) const { return accesses(held, !is_loaded(held)); }

std::vector<Access> LoweredValues::accesses(const LoweredValue& held) const { return accesses(held, !buffer_of(held)); }

// `computed`: computed even if it is stored. A view's accesses are its base's, seen through it; for views of views they are made
// once, from the innermost view outwards.
std::vector<Access> LoweredValues::accesses(const LoweredValue& held, bool computed) const {
  if (!held.view_of) return unviewed(held, computed);
  std::vector<std::size_t> missing;
  std::optional<std::size_t> inner = held.view_of;
  for (; viewed_[*inner].view_of && !seen_.contains(key_of(*inner, computed)); inner = viewed_[*inner].view_of) {
    missing.push_back(*inner);
  }
  for (; !missing.empty(); missing.pop_back()) {
    seen_.emplace(key_of(missing.back(), computed), through_base(viewed_[missing.back()], computed));
  }
  return through_base(held, computed);
}

// The accesses of a view; if its base is a view too, those of that are already known.
std::vector<Access> LoweredValues::through_base(const LoweredValue& view, bool computed) const {
  const LoweredValue& base = viewed_[*view.view_of];
  if (base.view_of) return through(view, seen_.at(key_of(*view.view_of, computed)));
  if (const std::optional<Access> only = only_access(base, computed)) return through(view, {&*only, 1});
  return through(view, unviewed(base, computed));
}

std::vector<Access> LoweredValues::unviewed(const LoweredValue& held, bool computed) const {
  if (std::optional<Access> only = only_access(held, computed)) {
    std::vector<Access> accesses;
    accesses.push_back(*std::move(only));
    return accesses;
  }
  return inlined_[held.inlined].accesses();
}

// That of a value in a buffer; nullopt if it is computed.
std::optional<Access> LoweredValues::only_access(const LoweredValue& held, bool computed) const {
  if (held.buffer) {
    const Extents* layout = layout_of(*held.buffer);
    return Access{*held.buffer, layout ? *layout : strides_of(*held.tensor), 0};
  }
  const Inlined& expression = inlined_[held.inlined];
  return computed ? std::nullopt : std::optional(Access{*expression.stored, expression.strides, 0});
}

std::vector<Access> LoweredValues::through(const LoweredValue& view, std::span<const Access> accesses) const {
  const Extents from = hints_of(viewed_[*view.view_of].tensor->shape), to = hints_of(view.tensor->shape);
  std::vector<Access> result;
  result.reserve(accesses.size());
  for (const Access& access : accesses) result.push_back(through_view(access, graph_[view.node], view.part, from, to));
  const bool is_as_traced = view.buffer && !layout_of(*view.buffer);
  if (is_as_traced && (result.front().strides || !reshapes(graph_[view.node]))) result.front().strides = strides_of(*view.tensor);
  return result;
}

const Extents* LoweredValues::layout_of(BufferId id) const {
  const auto found = layouts_.find(id);
  return found == layouts_.end() ? nullptr : &found->second;
}

BufferId LoweredValues::store(const LoweredValue& held) {
  if (const std::optional<BufferId> buffer = buffer_of(held)) return *buffer;
  const Inlined& expression = inlined_[held.inlined];
  return store_in(held, strides_for_readers(expression, hints_of(expression.tensor->shape)));
}

BufferId LoweredValues::store_in(const LoweredValue& held, const Extents& strides) {
  if (const std::optional<BufferId> buffer = buffer_of(held)) return *buffer;
  Inlined& expression = inlined_[held.inlined];
  const Extents shape = hints_of(expression.tensor->shape);
  std::vector<Access> all = expression.accesses();
  Loops loops = loops_of(shape, {}, all, strides);
  const BufferId buffer = add_flexible_buffer(expression.node, *expression.tensor);
  expression.strides = strides;
  add_kernel({expression.node, std::move(all), {buffer}, {}, std::move(loops)});
  expression.stored = buffer;
  lay_out(buffer, strides);
  return buffer;
}

void LoweredValues::add_kernel(Kernel kernel) {
  std::erase_if(kernel.reads, &Access::is_position);
  if (kernel.loops && !kernel.loops->reduced.empty()) reduced_.insert(kernel.writes.begin(), kernel.writes.end());
  program_.kernels.push_back(std::move(kernel));
}

BufferId LoweredValues::store_for_call(NodeId call, const LoweredValue& held) {
  const BufferId buffer = store(held);
  if (!held.view_of) return buffer;
  const std::vector<Access> reads = accesses(held);
  if (reads.front().strides || !reshapes(graph_[held.node])) return buffer;
  return copy(call, held, strides_as_read(hints_of(held.tensor->shape), reads));
}

BufferId LoweredValues::copy(NodeId kernel, const LoweredValue& held, const Extents& strides) {
  const std::vector<Access> reads = loads(held);
  const BufferId copied = add_buffer(kernel, *held.tensor, element_bytes(*held.tensor));
  add_kernel({kernel, reads, {copied}, {}, loops_of(hints_of(held.tensor->shape), {}, reads, strides)});
  lay_out(copied, strides);
  return copied;
}

const Tensor& LoweredValues::contiguous(const Tensor& tensor) {
  contiguous_.push_back(tensor);
  contiguous_.back().stride = {};
  return contiguous_.back();
}

BufferId LoweredValues::add_buffer(NodeId node, const Tensor& tensor, std::int64_t bytes) {
  const std::int64_t elements = product(hints_of(tensor.shape));
  program_.buffers.push_back({.node = node, .bytes = bytes, .elements = elements, .dtype = tensor.dtype});
  return static_cast<BufferId>(program_.buffers.size() - 1);
}

BufferId LoweredValues::add_flexible_buffer(NodeId node, const Tensor& tensor) {
  const BufferId buffer = add_buffer(node, tensor, element_bytes(tensor));
  flexible_.resize(buffer + 1, false);
  flexible_[buffer] = true;
  return buffer;
}

BufferId LoweredValues::add_tuple(NodeId node) {
  program_.buffers.push_back({.node = node, .by_library = true});
  return static_cast<BufferId>(program_.buffers.size() - 1);
}

BufferId LoweredValues::add_changed_buffer(NodeId node, BufferId before) {
  Buffer changed = program_.buffers[before];
  changed.node = node;
  changed.changed_from = before;
  program_.buffers.push_back(changed);
  const auto id = static_cast<BufferId>(program_.buffers.size() - 1);
  memory_.emplace(id, memory_of(before));
  return id;
}

BufferId LoweredValues::memory_of(BufferId id) const {
  const auto found = memory_.find(id);
  return found == memory_.end() ? id : found->second;
}

// The nodes that read it, or an item of it.
std::vector<NodeId> LoweredValues::readers_of(NodeId id) const {
  std::vector<NodeId> readers;
  for (const NodeId reader : users_.of(id)) {
    if (graph_[reader].calls("operator.getitem")) std::ranges::copy(users_.of(reader), std::back_inserter(readers));
    else readers.push_back(reader);
  }
  return readers;
}

// The layout that its readers fix, or that of its reads (Buffer.freeze_layout, ComputedBuffer.decide_layout). A view keeps
// channels last (ExternKernel.convert_to_reinterpret_view).
Extents LoweredValues::strides_for_readers(const Inlined& expression, const Extents& shape) const {
  const Extents traced = strides_of(*expression.tensor);
  const bool has_channels = shape.size() == 4, prefers_them_last = has_channels && prefers_channels_last(expression.node);
  for (const NodeId reader : readers_of(expression.node)) {
    const Node& node = graph_[reader];
    const Lowering lowering = node.is_call() ? lowering_of(node) : Lowering::View;
    const bool convolves = node.is_call() && is_convolution(node);
    if (prefers_them_last && (node.is_output() || convolves)) return channels_last_strides(shape);
    if (node.is_output() || is_attention(node)) return is_dense(shape, traced) ? traced : contiguous_strides(shape);
    if (lowering != Lowering::View && lowering != Lowering::Extern) continue;
    return has_channels && has_channels_last(shape, traced) ? traced : contiguous_strides(shape);
  }
  return strides_as_read(shape, expression.reads);
}

}  // namespace fxcut
