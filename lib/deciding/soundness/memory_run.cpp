#include "soundness/memory_run.h"

#include <algorithm>

#include "classify/host_copies.h"
#include "classify/views_and_writes.h"

namespace fxcut {
namespace {

void for_each_storage(const Value* value, const auto& visit) {
  if (!value) return;
  if (value->is_tensor() && value->tensor.storage) visit(*value->tensor.storage);
  for (const Value& item : value->items) for_each_storage(&item, visit);
}

template <typename T>
void add_once(std::vector<T>& all, T one) {
  if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

bool reads_memory(const Node& call) { return !call.callee->is(Operator::View) && !call.calls("operator.getitem"); }

}  // namespace

WrittenStorages::WrittenStorages(const JointGraph& joint)
    : merged_(joint.merged_storages), copies_(find_copies_in_place(joint.graph, joint.merged_storages)),
      is_overwritten_(find_overwritten_results(joint.graph, copies_, joint.merged_storages)),
      has_whole_writes_(std::ranges::find(copies_.is_whole, true) != copies_.is_whole.end()),
      has_overwritten_(std::ranges::find(is_overwritten_, true) != is_overwritten_.end()) {
  const auto add = [&](std::int64_t storage) { numbers_.insert(storage_after_merging(merged_, storage)); };
  for (const Node& node : joint.graph.nodes) {
    if (!writes(node)) continue;
    for (const NodeId input : written_inputs(node)) for_each_storage(joint.graph[input].value.get(), add);
  }
}

std::vector<std::int64_t> WrittenStorages::in(const Value* value) const {
  std::vector<std::int64_t> found;
  if (empty()) return found;
  for_each_storage(value, [&](std::int64_t storage) {
    const std::int64_t number = storage_after_merging(merged_, storage);
    if (numbers_.contains(number)) add_once(found, number);
  });
  return found;
}

bool WrittenStorages::makes_new_memory(const Graph& graph, const Node& call) const {
  std::vector<std::int64_t> made = in(call.value.get());
  for (const NodeId input : call.inputs) {
    for (const std::int64_t given : in(graph[input].value.get())) std::erase(made, given);
  }
  return !made.empty();
}

History Histories::after(History before, NodeId write) {
  const auto [known, is_new] = known_.try_emplace({before, write}, static_cast<History>(steps_.size() + 1));
  if (is_new) steps_.push_back({before, write, length(before) + 1});
  return known->second;
}

History Histories::after_whole(History before, NodeId write) {
  const auto [known, is_new] = known_.try_emplace({kUntouched, write}, static_cast<History>(steps_.size() + 1));
  if (is_new) steps_.push_back({before, write, length(before) + 1});
  return known->second;
}

Region SharedMemory::make(std::int64_t storage, History history) {
  regions.push_back({storage, history});
  return static_cast<Region>(regions.size() - 1);
}

void SharedMemory::write(Region region, NodeId write, bool is_whole) {
  History& history = regions[static_cast<std::size_t>(region)].history;
  history = is_whole ? histories.after_whole(history, write) : histories.after(history, write);
}

void MemoryRun::run(const RegionsOf& given, const OriginalOf& original, const Read& read) {
  is_overwritten_ = find_overwritten(original);
  for (std::size_t i = 0; i < graph_.size(); ++i) {
    const Node& node = graph_.nodes[i];
    if (node.is_placeholder()) {
      held_[i] = given(node);
      if (held_[i].empty()) held_[i] = own_memory(node);
    }
    if (!node.is_call()) continue;
    const auto written_by = writes(node) ? original(node) : std::nullopt;
    const bool writes_same = written_by && written_.writes_same(*written_by);
    is_whole_[i] = written_by && written_.is_whole(*written_by) && !writes_same;
    writes_[i] = writes(node) && !(written_by && copies_to_itself(node, *written_by));
    const bool touches = std::ranges::any_of(node.inputs, [&](NodeId input) { return !held_[index_of(input)].empty(); });
    reads_[i] = touches && reads_memory(node) && !is_overwritten_[i];
    const bool is_expected = is_joint_ && writes_same;  // on a side it may be a write
    if (reads_[i] && (writes_[i] || !writes(node) || is_expected)) read(i, find_read(i));
    held_[i] = node.calls(kWaitTensor) ? waited_memory(node) : is_host_copy(node) ? copied_memory(node) : result_memory(node);
    if (written_by && writes_[i] && !writes_same) write(node, *written_by, is_whole_[i]);
  }
}

void MemoryRun::run_joint(const Read& read) {
  is_joint_ = true;
  run([](const Node&) { return std::vector<Region>(); },
      [&](const Node& node) { return node_id(static_cast<std::size_t>(&node - graph_.nodes.data())); }, read);
}

std::vector<Found> MemoryRun::find_read(std::size_t node) const {
  std::vector<Found> found = find(graph_.nodes[node].inputs);
  if (is_whole_[node]) std::erase_if(found, [](const Found& one) { return one.input == 0; });
  return found;
}

std::vector<Found> MemoryRun::find(const std::vector<NodeId>& nodes) const {
  std::vector<Found> found;
  for (std::uint32_t input = 0; input < nodes.size(); ++input) {
    const std::vector<Region>& regions = held_[index_of(nodes[input])];
    for (std::uint32_t part = 0; part < regions.size(); ++part) {
      const History history = memory_[regions[part]].history;
      if (history != kUntouched) found.push_back({input, part, history});
    }
  }
  return found;
}

std::vector<bool> MemoryRun::find_overwritten(const OriginalOf& original) const {
  std::vector<bool> found(graph_.size(), false);
  if (!is_joint_ && written_.has_whole_writes()) found = written_.find_overwritten_on(graph_, original);
  for (std::size_t i = 0; i < graph_.size() && written_.has_overwritten(); ++i) {
    const auto in_joint = found[i] ? std::nullopt : original(graph_.nodes[i]);
    found[i] = found[i] || (in_joint && written_.is_overwritten(*in_joint));
  }
  return found;
}

// Whether the call never writes anything, whatever its memory holds.
bool MemoryRun::copies_to_itself(const Node& call, NodeId original) const {
  if (written_.is_idle(original)) return true;
  if (!written_.writes_same(original)) return false;
  const std::vector<Region>& to = held_[index_of(call.inputs[0])];
  return !to.empty() && to == held_[index_of(call.inputs[1])];
}

std::vector<Region> MemoryRun::own_memory(const Node& placeholder) {
  std::vector<Region> regions;
  for (const std::int64_t storage : written_.in(placeholder.value.get())) {
    const auto [known, is_new] = inputs_.try_emplace(storage, Region{});
    if (is_new) known->second = memory_.make(storage);
    regions.push_back(known->second);
  }
  return regions;
}

std::vector<Region> MemoryRun::result_memory(const Node& call) {
  std::vector<Region> regions;
  for (const std::int64_t storage : written_.in(call.value.get())) {
    const auto shared = operand_memory(call, storage);
    regions.push_back(shared ? *shared : memory_.make(storage));
  }
  return regions;
}

std::vector<Region> MemoryRun::copied_memory(const Node& copy) {
  std::vector<Region> regions;
  if (copy.inputs.empty()) return regions;
  for (const Region source : held_[index_of(copy.inputs.front())]) {
    const SharedMemory::Seen seen = memory_[source];
    regions.push_back(memory_.make(seen.storage, seen.history));
    if (copy.calls(kOffload)) copied_.emplace(regions.back(), source);
  }
  return regions;
}

// A write to the source before the copy has ended may affect all or part of the copy: it gets a history that nothing else has.
std::vector<Region> MemoryRun::waited_memory(const Node& wait) {
  const std::vector<Region> regions = wait.inputs.empty() ? std::vector<Region>() : held_[index_of(wait.inputs.front())];
  for (const Region region : regions) {
    const auto source = copied_.find(region);
    if (source == copied_.end()) continue;
    const History now = memory_[source->second].history;
    if (now == memory_[region].history) continue;
    const NodeId last = memory_.histories.last_write(now);
    memory_.write(region, last);
    memory_.write(region, last);
  }
  return regions;
}

std::optional<Region> MemoryRun::operand_memory(const Node& call, std::int64_t storage) const {
  for (const NodeId input : call.inputs) {
    for (const Region region : held_[index_of(input)]) {
      if (memory_[region].storage == storage) return region;
    }
  }
  return std::nullopt;
}

void MemoryRun::write(const Node& call, NodeId original, bool is_whole) {
  std::vector<Region> destinations;
  for (const NodeId input : written_inputs(call)) {
    for (const Region region : held_[index_of(input)]) add_once(destinations, region);
  }
  for (const Region region : destinations) {
    memory_.write(region, original, is_whole);
    if (is_joint_) note_restored(original, region);
  }
}

// The copy that restores has one destination.
void MemoryRun::note_restored(NodeId write, Region destination) {
  const History now = memory_[destination].history;
  after_.emplace(std::pair(write, destination), now);
  const std::optional<HeldAfter>& held = written_.restores(write);
  if (!held) return;
  const auto first = held->write ? after_.find({*held->write, destination}) : after_.end();
  if (!held->write) memory_.histories.note_same(now, kUntouched);
  else if (first != after_.end()) memory_.histories.note_same(now, first->second);
}

}  // namespace fxcut
