#include "memory/placement.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "classify/host_copies.h"
#include "classify/views_and_writes.h"

namespace fxcut {
namespace {

void add_tensors(const Value& value, std::vector<const Tensor*>& tensors) {
  if (value.is_tensor()) tensors.push_back(&value.tensor);
  for (const Value& item : value.items) add_tensors(item, tensors);
}

bool is_on_device(const Value& value) {
  if (value.is_tensor() && !value.tensor.device.empty() && !is_cpu(value.tensor)) return true;
  return std::any_of(value.items.begin(), value.items.end(), is_on_device);
}

// The memory of a node's tensor: that of a call's input, or, without one, memory of its own.
struct ChosenMemory {
  std::optional<AllocationId> shared;
  std::optional<std::int64_t> storage;  // its number; without one, that of the tensor that it shares or copies
};

std::vector<const Tensor*> tensors_of(const Node& node) {
  std::vector<const Tensor*> tensors;
  if (const auto& value = node.value ? node.value : node.tensor_meta) add_tensors(*value, tensors);
  return tensors;
}

// By item of the node's tuple, and after the last, its first position in tensors_of; empty for other values.
std::vector<std::uint32_t> item_begin_of(const Node& node) {
  std::vector<std::uint32_t> begin;
  if (!node.value || node.value->kind != Value::Kind::Tuple) return begin;
  std::vector<const Tensor*> tensors;
  for (const Value& item : node.value->items) {
    begin.push_back(static_cast<std::uint32_t>(tensors.size()));
    add_tensors(item, tensors);
  }
  begin.push_back(static_cast<std::uint32_t>(tensors.size()));
  return begin;
}

// The number of a tensor's storage after merges.
std::optional<std::int64_t> storage_of(const Tensor& tensor, const MergedStorages& merged) {
  if (!tensor.storage) return std::nullopt;
  return storage_after_merging(merged, *tensor.storage);
}

std::vector<std::uint32_t> sorted_by_storage(const std::vector<PlacedTensor>& tensors) {
  std::vector<std::uint32_t> by_storage;
  if (tensors.size() < 2) return by_storage;
  for (std::uint32_t t = 0; t < tensors.size(); ++t) {
    if (tensors[t].storage) by_storage.push_back(t);
  }
  std::stable_sort(by_storage.begin(), by_storage.end(), [&](std::uint32_t a, std::uint32_t b) {
    return *tensors[a].storage < *tensors[b].storage;
  });
  return by_storage;
}

using Tensors = std::span<const PlacedTensor>;

// The tensors of a getitem's item; none if it is not an item of a tuple.
Tensors find_item(const Node& call, const std::vector<Placement>& placements) {
  const auto& positional = call.arguments->positional;
  if (!call.calls("operator.getitem") || call.inputs.size() != 1 || positional.size() != 2) return {};
  const Placement& tuple = placements[index_of(call.inputs[0])];
  const std::int64_t key = positional[1].integer;
  const auto items = static_cast<std::int64_t>(tuple.item_begin.size()) - 1;
  if (positional[1].kind != Argument::Kind::Int || key < 0 || key >= items) return {};
  const auto item = tuple.item_begin.begin() + key;
  return Tensors(tuple.tensors).subspan(item[0], item[1] - item[0]);
}

// The existing tensors that a call returns, by its operator.
Tensors find_passed_on(const Node& call, const std::vector<Placement>& placements) {
  if (const auto returned = find_returned_input(call)) return placements[index_of(*returned)].tensors;
  if (is_host_copy(call) && !call.inputs.empty()) return placements[index_of(call.inputs[0])].tensors;
  return find_item(call, placements);
}

// The memory of the first input with a tensor in that storage.
std::optional<AllocationId> find_in_inputs(const Node& call, const std::vector<Placement>& placements,
                                           std::int64_t storage) {
  for (const NodeId input : call.inputs) {
    if (const PlacedTensor* found = placements[index_of(input)].find(storage)) return found->allocation;
  }
  return std::nullopt;
}

// For each storage, the same for all inputs' storages.
std::unordered_map<std::int64_t, AllocationId> map_inputs(const Node& call, const std::vector<Placement>& placements) {
  std::unordered_map<std::int64_t, AllocationId> allocations;
  for (const NodeId input : call.inputs) {
    for (const PlacedTensor& placed : placements[index_of(input)].tensors) {
      if (placed.storage) allocations.emplace(*placed.storage, placed.allocation);
    }
  }
  return allocations;
}

// Assigns an input's memory to each choice in the same storage, of several inputs the first's. Few choices are looked
// up in each input; for many, a map of all that the inputs hold is faster: a tuple of thousands may have thousands of
// users.
void share_with_inputs(const Node& call, const std::vector<Placement>& placements, std::vector<ChosenMemory>& choices) {
  std::size_t held = 0;
  for (const NodeId input : call.inputs) held += placements[index_of(input)].tensors.size();
  const bool looks_for_each = choices.size() == 1 || choices.size() * call.inputs.size() <= held;
  std::unordered_map<std::int64_t, AllocationId> allocations;
  if (!looks_for_each) allocations = map_inputs(call, placements);
  for (ChosenMemory& choice : choices) {
    if (!choice.storage) continue;
    if (looks_for_each) {
      choice.shared = find_in_inputs(call, placements, *choice.storage);
    } else if (const auto found = allocations.find(*choice.storage); found != allocations.end()) {
      choice.shared = found->second;
    }
  }
}

// For each of `tensors`, those of the node's value.
std::vector<ChosenMemory> choose_memory(const Node& node, const std::vector<const Tensor*>& tensors,
                                        const std::vector<Placement>& placements, const MergedStorages& merged) {
  std::vector<ChosenMemory> choices;
  for (const Tensor* tensor : tensors) choices.push_back({std::nullopt, storage_of(*tensor, merged)});
  if (tensors.empty() || !node.is_call()) return choices;
  const Tensors passed_on = find_passed_on(node, placements);
  if (passed_on.size() == tensors.size()) {
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      if (!is_host_copy(node)) choices[t].shared = passed_on[t].allocation;
      if (!choices[t].storage) choices[t].storage = passed_on[t].storage;
    }
    return choices;
  }
  share_with_inputs(node, placements, choices);
  return choices;
}

}  // namespace

const PlacedTensor* Placement::find(std::int64_t storage) const {
  if (tensors.size() == 1 && tensors.front().storage == storage) return &tensors.front();
  const auto found =
      std::lower_bound(by_storage.begin(), by_storage.end(), storage,
                       [&](std::uint32_t tensor, std::int64_t number) { return *tensors[tensor].storage < number; });
  const bool is_there = found != by_storage.end() && tensors[*found].storage == storage;
  return is_there ? &tensors[*found] : nullptr;
}

bool is_cpu(const Tensor& tensor) { return tensor.device.starts_with("cpu"); }

bool has_device(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
    const auto& value = node.value ? node.value : node.tensor_meta;
    return value && is_on_device(*value);
  });
}

Placement place_tensors(const Node& node, const std::vector<Placement>& placements, const MergedStorages& merged,
                        MemoryOfStorages& inputs, const PutTensor& put) {
  const std::vector<const Tensor*> tensors = tensors_of(node);
  Placement placement;
  placement.item_begin = item_begin_of(node);
  const std::vector<ChosenMemory> choices = choose_memory(node, tensors, placements, merged);
  MemoryOfStorages items;  // of a tuple
  MemoryOfStorages& known = node.is_call() ? items : inputs;
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    auto [shared, storage] = choices[t];
    const auto found = storage && !shared ? known.find(*storage) : known.end();
    if (found != known.end()) shared = found->second;
    const AllocationId allocation = put(*tensors[t], shared);
    if (storage && (!node.is_call() || tensors.size() > 1)) known.emplace(*storage, allocation);
    placement.tensors.push_back({allocation, storage});
  }
  placement.by_storage = sorted_by_storage(placement.tensors);
  return placement;
}

std::int64_t MemorySizes::of(const Node& node, const Tensor& tensor) const {
  if (copies_to_host(node) || (cpu_is_host_ && is_cpu(tensor))) return 0;
  const auto known = tensor.storage ? storages_.find(*tensor.storage) : storages_.end();
  return known == storages_.end() || (node.is_call() && is_host_copy(node)) ? extent_bytes(tensor) : known->second;
}

}  // namespace fxcut
