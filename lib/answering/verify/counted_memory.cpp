#include "verify/counted_memory.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "classify/collectives.h"
#include "classify/host_copies.h"
#include "classify/views_and_writes.h"
#include "verify/bytes.h"

namespace fxcut {
namespace {

using Storage = std::optional<std::int64_t>;

// Storages, some of which are merged, as a union-find forest.
class Storages {
 public:
  explicit Storages(const Graph& joint) : bytes_(bytes_by_storage(joint)) {}

  Storage of(const Tensor& tensor) { return tensor.storage ? Storage(find(*tensor.storage)) : std::nullopt; }

  // A copy is as large as the copied tensor, any other buffer as large as the storage.
  std::int64_t bytes_of(const Node& node, const Tensor& tensor) const {
    const auto known = tensor.storage ? bytes_.find(*tensor.storage) : bytes_.end();
    return known == bytes_.end() || (node.is_call() && is_host_copy(node)) ? bytes_of_span(tensor) : known->second;
  }

  // Merges the storages of a call's result with those of another's: calls of one operator give values of one form.
  void merge(const Node& merged, const Node& remaining) {
    const std::vector<const Tensor*> of_merged = tensors_in(merged), of_remaining = tensors_in(remaining);
    for (std::size_t t = 0; t < std::min(of_merged.size(), of_remaining.size()); ++t) {
      const Storage from = of(*of_merged[t]), to = of(*of_remaining[t]);
      if (from && to && *from != *to) merged_.emplace(*from, *to);
    }
  }

 private:
  std::int64_t find(std::int64_t storage) {
    for (auto next = merged_.find(storage); next != merged_.end(); next = merged_.find(storage)) {
      const auto after = merged_.find(next->second);
      if (after != merged_.end()) next->second = after->second;  // path halving keeps chains short
      storage = next->second;
    }
    return storage;
  }

  std::unordered_map<std::int64_t, std::int64_t> bytes_;
  std::unordered_map<std::int64_t, std::int64_t> merged_;
};

// A tensor of a node's value: its buffer, by position among all, and its storage after merging.
struct HeldTensor {
  std::size_t buffer = 0;
  Storage storage;
};

struct HeldValue {
  const Node* origin = nullptr;                    // the node that computed it, not a copy to the host or back
  std::vector<HeldTensor> tensors;                 // in the order of the value's leaves
  std::vector<std::size_t> items;                  // for a tuple: the first tensor of each item, then their number
  std::map<std::int64_t, std::size_t> by_storage;  // the buffer of the first tensor in it

  void add(HeldTensor tensor) {
    tensors.push_back(tensor);
    if (tensor.storage) by_storage.emplace(*tensor.storage, tensor.buffer);
  }
};

bool is_on_cpu(const Tensor& tensor) { return tensor.device.starts_with("cpu"); }

class CountingRun {
 public:
  // `first` is the graph that runs first.
  CountingRun(const Graph& joint, const Graph& first) : joint_(joint), storages_(joint) {
    for (const Node& node : joint_.nodes) (node.is_call() ? joint_calls_ : joint_others_).emplace(node.name, &node);
    for (const Node& node : first.nodes) {
      for (const Tensor* tensor : tensors_in(node)) {
        cpu_is_host_ = cpu_is_host_ || (!tensor->device.empty() && !is_on_cpu(*tensor));
      }
    }
  }

  CountedMemory run(const GraphPair& sides, const std::vector<CrossingValue>& crossings) {
    run_side(sides.forward, StepPhase::Forward, {}, crossings);
    run_side(sides.backward, StepPhase::Backward, handed_over_, {});
    add_up();
    return std::move(counted_);
  }

  CountedMemory run(const Graph& step) {
    run_side(step, std::nullopt, {}, {});
    add_up();
    return std::move(counted_);
  }

 private:
  using Passed = std::unordered_map<std::size_t, HeldValue>;  // by position among the placeholders

  // Without a phase each node has its own.
  void run_side(const Graph& graph, std::optional<StepPhase> phase, const Passed& given,
                const std::vector<CrossingValue>& crossings) {
    phase_ = phase;
    first_step_ = counted_.steps.size();
    held_.assign(graph.size(), HeldValue());
    last_use_.assign(graph.size(), 0);
    std::size_t position = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const Node& node = graph.nodes[i];
      if (node.is_placeholder()) {
        last_use_[i] = first_step_;
        const auto found = given.find(position++);
        held_[i] = found == given.end() ? take_input(node) : found->second;
        continue;
      }
      use_operands(node);
      for (const NodeId collective : awaited_collectives(graph, node)) use_operands(graph[collective]);
      counted_.steps.push_back(running(node));
      held_[i] = node.is_call() ? call(node) : take_input(node);
    }
    return_outputs(graph, crossings);
    for (std::size_t i = 0; i < graph.size(); ++i) {
      for (const HeldTensor& held : held_[i].tensors) {
        std::size_t& last_step = counted_.buffers[held.buffer].last_step;
        last_step = std::max(last_step, last_use_[i]);
      }
    }
  }

  // Notes that the node, which runs next, uses its operands.
  void use_operands(const Node& node) {
    for (const NodeId input : node.inputs) last_use_[index_of(input)] = counted_.steps.size();
  }

  // Inputs and constants, which the caller keeps; they may share storage.
  HeldValue take_input(const Node& node) {
    HeldValue held = with_items(node);
    for (const Tensor* tensor : tensors_in(node)) {
      const Storage storage = storages_.of(*tensor);
      const auto shared = storage ? inputs_.find(*storage) : inputs_.end();
      const bool is_new = shared == inputs_.end();
      const std::size_t id = is_new ? take_buffer(node, *tensor, first_step_) : shared->second;
      CountedBuffer& buffer = counted_.buffers[id];
      buffer.last_step = CountedBuffer::kToTheEnd;
      if (is_new && phase_ != StepPhase::Backward) buffer.owner = CountedBuffer::Owner::Inputs;
      if (is_parameter(node)) buffer.owner = CountedBuffer::Owner::Parameters;
      if (storage) inputs_.emplace(*storage, id);
      held.add({id, storage});
    }
    return held;
  }

  HeldValue call(const Node& node) {
    merge_operands(node);
    HeldValue held = with_items(node);
    const bool is_added_copy = (is_host_copy(node) || waits_for_argument(node)) && !joint_calls_.contains(node.name);
    if (is_added_copy && !node.inputs.empty()) held.origin = held_[index_of(node.inputs.front())].origin;
    const std::vector<const Tensor*> tensors = tensors_in(node);
    const std::vector<HeldTensor> source = source_of(node);
    const bool has_source = !tensors.empty() && source.size() == tensors.size();
    const bool copies = is_host_copy(node);
    auto buffers = has_source ? Shared() : buffers_of_inputs(node, tensors);
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      Storage storage = storages_.of(*tensors[t]);
      if (!storage && has_source) storage = source[t].storage;
      const auto shared = storage ? buffers.find(*storage) : buffers.end();
      const bool is_shared = shared != buffers.end() && shared->second;
      const std::size_t buffer = has_source && !copies ? source[t].buffer
                                 : is_shared           ? *shared->second
                                                       : take_buffer(node, *tensors[t], counted_.steps.size() - 1);
      if (storage) buffers[*storage] = buffer;  // for the tuple's other items
      held.add({buffer, storage});
    }
    return held;
  }

  // The joint graph's call of that name, or of the name that it is a copy of; null if there is none. In a whole step another call
  // may have the name, in other memory. Looked up once per node, since a tuple of thousands may have thousands of users.
  const Node* joint_call(const Node& node) const {
    const auto [known, is_new] = known_joint_calls_.try_emplace(&node, nullptr);
    if (is_new) known->second = find_joint_call(node);
    return known->second;
  }

  const Node* find_joint_call(const Node& node) const {
    const std::string_view name = node.name;
    auto call = joint_calls_.find(name);
    if (call == joint_calls_.end()) call = joint_calls_.find(name_without_suffix(name));
    return call == joint_calls_.end() || !are_alike(*call->second, node) ? nullptr : call->second;
  }

  static bool are_alike(const Node& one, const Node& other) {
    return std::ranges::equal(tensors_in(one), tensors_in(other),
                              [](const Tensor* a, const Tensor* b) { return a->storage == b->storage; });
  }

  // If the joint graph's call uses another call of the same operator than this one, that call was merged.
  void merge_operands(const Node& node) {
    const Node* call = joint_call(node);
    if (!call || call->inputs.size() != node.inputs.size()) return;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const Node& merged = joint_[call->inputs[i]];
      const Node* remaining = joint_call(*held_[index_of(node.inputs[i])].origin);
      if (remaining && merged.name != remaining->name && merged.is_call() && remaining->calls(merged.callee->target)) {
        storages_.merge(merged, *remaining);
      }
    }
  }

  // By storage of a call's results: the buffer of the first input in it. Iterates over the shorter of two lists, as a tuple
  // of thousands may have thousands of users.
  using Shared = std::map<std::int64_t, std::optional<std::size_t>>;
  Shared buffers_of_inputs(const Node& node, const std::vector<const Tensor*>& results) {
    Shared shared;
    for (const Tensor* tensor : results) {
      if (const Storage storage = storages_.of(*tensor)) shared.emplace(*storage, std::nullopt);
    }
    for (const NodeId input : node.inputs) {
      const auto& held = held_[index_of(input)].by_storage;
      if (held.size() < shared.size()) {
        for (const auto& [storage, buffer] : held) {
          const auto result = shared.find(storage);
          if (result != shared.end() && !result->second) result->second = buffer;
        }
      } else {
        for (auto& [storage, buffer] : shared) {
          if (const auto found = held.find(storage); found != held.end() && !buffer) buffer = found->second;
        }
      }
    }
    return shared;
  }

  // The source tensors of a copy, a wait or an item; empty for any other call.
  std::vector<HeldTensor> source_of(const Node& node) const {
    if (node.inputs.empty()) return {};
    const HeldValue& first = held_[index_of(node.inputs.front())];
    if (const auto returned = find_returned_input(node)) return held_[index_of(*returned)].tensors;
    if (is_host_copy(node)) return first.tensors;
    const auto& arguments = node.arguments->positional;
    if (!node.calls("operator.getitem") || node.inputs.size() != 1 || arguments.size() != 2) return {};
    const auto item = static_cast<std::size_t>(arguments[1].integer);
    if (arguments[1].kind != Argument::Kind::Int || arguments[1].integer < 0 || item + 1 >= first.items.size()) return {};
    const auto at = [&](std::size_t i) { return first.tensors.begin() + static_cast<std::ptrdiff_t>(first.items[i]); };
    return {at(item), at(item + 1)};
  }

  static HeldValue with_items(const Node& node) {
    HeldValue held;
    held.origin = &node;
    if (!node.value || node.value->kind != Value::Kind::Tuple) return held;
    held.items.push_back(0);
    for (const Value& item : node.value->items) held.items.push_back(held.items.back() + tensors_in(item).size());
    return held;
  }

  std::size_t take_buffer(const Node& node, const Tensor& tensor, std::size_t step) {
    const bool on_host = copies_to_host(node) || (cpu_is_host_ && is_on_cpu(tensor));
    counted_.buffers.push_back({running(node), on_host ? 0 : storages_.bytes_of(node, tensor), step, step});
    return counted_.buffers.size() - 1;
  }

  RunningNode running(const Node& node) const { return {phase_ ? *phase_ : phase_in_step(node), &node}; }

  // The phase of the node of the same name before the rewrite, except for copies and other forward nodes marked as the
  // backward's.
  StepPhase phase_in_step(const Node& node) const {
    const auto other = joint_others_.find(node.name);
    const Node* before = other != joint_others_.end() ? other->second : joint_call(node);
    if (!before) return node.meta.phase;
    const bool is_copy = node.is_call() && before->name != node.name;
    const bool is_marked = (node.meta.autograd_backward && !before->meta.autograd_backward) ||
                           (node.meta.backward_phase && !before->meta.backward_phase);
    return is_copy || is_marked ? StepPhase::Backward : before->meta.phase;
  }

  // The optimizer's states are static in the step before the rewrite.
  bool is_parameter(const Node& input) const {
    if (input.meta.static_lifetime || input.opcode == Opcode::GetAttr) return true;
    const auto before = phase_ ? joint_others_.end() : joint_others_.find(input.name);
    return before != joint_others_.end() && before->second->meta.static_lifetime;
  }

  void return_outputs(const Graph& graph, const std::vector<CrossingValue>& crossings) {
    std::unordered_map<std::size_t, std::size_t> backward_inputs;
    for (const CrossingValue& value : crossings) backward_inputs.emplace(value.forward_output, value.backward_input);
    const std::vector<OutputLeaf> outputs = output_leaves(graph);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].node) continue;
      const std::size_t node = index_of(*outputs[i].node);
      const auto crosses = backward_inputs.find(i);
      if (crosses == backward_inputs.end()) {
        last_use_[node] = CountedBuffer::kToTheEnd;
      } else {
        handed_over_.emplace(crosses->second, held_[node]);
      }
    }
  }

  void add_up() {
    std::vector<Int128> change(counted_.steps.size() + 1);
    for (const CountedBuffer& buffer : counted_.buffers) {
      if (buffer.owner != CountedBuffer::Owner::Step) continue;
      change[buffer.first_step] += buffer.bytes;
      if (buffer.last_step < counted_.steps.size()) change[buffer.last_step + 1] -= buffer.bytes;
    }
    Int128 bytes = 0;
    for (std::size_t s = 0; s < counted_.steps.size(); ++s) counted_.bytes.push_back(bytes += change[s]);
  }

  const Graph& joint_;
  Storages storages_;
  std::unordered_map<std::string_view, const Node*> joint_calls_, joint_others_;  // by name
  mutable std::unordered_map<const Node*, const Node*> known_joint_calls_;        // by node of a side
  bool cpu_is_host_ = false;
  std::optional<StepPhase> phase_;                        // of the side that runs
  std::size_t first_step_ = 0;                            // of the side that runs
  std::vector<HeldValue> held_;                           // by node of that side
  std::vector<std::size_t> last_use_;                     // the same: the last step that uses the value
  std::unordered_map<std::int64_t, std::size_t> inputs_;  // by storage: the buffer of an input or constant
  Passed handed_over_;                                     // from the forward to the backward
  CountedMemory counted_;
};

}  // namespace

std::int64_t CountedMemory::bytes_of(CountedBuffer::Owner owner) const {
  std::int64_t sum = 0;
  for (const CountedBuffer& buffer : buffers) sum += buffer.owner == owner ? buffer.bytes : 0;
  return sum;
}

Int128 CountedMemory::between_bytes() const {
  Int128 most = 0;
  for (std::size_t s = 1; s < steps.size(); ++s) {
    if (steps[s - 1].phase != StepPhase::Forward || steps[s].phase == StepPhase::Forward) continue;
    Int128 there = 0;
    for (const CountedBuffer& buffer : buffers) {
      const bool outlives = buffer.owner == CountedBuffer::Owner::Step && buffer.first_step < s && buffer.last_step >= s;
      if (outlives) there += buffer.bytes;
    }
    most = std::max(most, there);
  }
  return most;
}

CountedMemory count_memory(const JointGraph& joint, const GraphPair& sides, const std::vector<CrossingValue>& crossings) {
  return CountingRun(joint.graph, sides.forward).run(sides, crossings);
}

CountedMemory count_memory(const JointGraph& before, const Graph& rewritten) {
  return CountingRun(before.graph, rewritten).run(rewritten);
}

}  // namespace fxcut
