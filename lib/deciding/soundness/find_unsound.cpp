#include "soundness/find_unsound.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "classify/purity.h"
#include "classify/views_and_writes.h"
#include "normalise/equal_calls.h"
#include "soundness/last_needs.h"
#include "soundness/memory_check.h"
#include "soundness/memory_run.h"
#include "soundness/statistics_reads.h"

namespace fxcut {
namespace {

bool has_effect(const Node& node) { return node.is_call() && is_impure(node) && !is_wait(node); }

bool is_ordered_effect(const Node& node) { return node.calls("higher_order.with_effects"); }

// Effects that are on both sides.
void find_repeated_effects(const JointGraph& joint, const ForwardBackward& sides, std::vector<Unsound>& faults) {
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    const NodeId id = node_id(i);
    if (!is_ordered_effect(joint.graph[id]) || !sides.forward.computes(id) || !sides.backward.computes(id)) continue;
    faults.push_back({id, Fault::EffectAgain});
  }
}

// Random calls that are on both sides under their own name: wrapped ones have another.
void find_redrawn(const JointGraph& joint, const RandomCalls& random, const ForwardBackward& sides, const GraphPair& graphs,
                  std::vector<Unsound>& faults) {
  std::unordered_set<std::string_view> forward, backward;
  const auto collect = [&](const Graph& graph, std::unordered_set<std::string_view>& names) {
    for (const Node& node : graph.nodes) {
      if (random.contains(graph, node)) names.insert(node.name);
    }
  };
  collect(graphs.forward, forward);
  if (forward.empty()) return;
  collect(graphs.backward, backward);
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    const std::string& name = joint.graph.nodes[i].name;
    const bool twice = sides.forward.computes(node_id(i)) && sides.backward.computes(node_id(i));
    if (twice && forward.contains(name) && backward.contains(name)) faults.push_back({node_id(i), Fault::DrawnAgain});
  }
}

// PyTorch treats Inductor's random operators as functions of their arguments, and so does `verify`.
bool is_merged_draw(const RandomCalls& random, const Graph& joint, const Node& node) {
  return random.contains(joint, node) && node.callee->space != "prims";
}

void find_merged(const JointGraph& joint, const RandomCalls& random, const MemoryCheck* memory, std::vector<Unsound>& faults) {
  if (joint.repeats.empty()) return;
  std::unordered_set<std::string_view> kept;
  for (const auto& [repeat, first] : joint.repeats) kept.insert(first);
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    const Node& node = joint.graph.nodes[i];
    if (!kept.contains(node.name) || !node.is_call()) continue;
    if (is_merged_draw(random, joint.graph, node) || (memory && memory->is_written_to(node_id(i)))) {
      faults.push_back({node_id(i), Fault::Merged});
    }
  }
}

void find_unlike(const JointGraph& joint, std::vector<Unsound>& faults) {
  std::unordered_set<std::string_view> kept;
  for (const std::string& repeat : joint.unlike_repeats) kept.insert(joint.repeats.at(repeat));
  for (std::size_t i = 0; i < joint.graph.size() && !kept.empty(); ++i) {
    if (kept.contains(joint.graph.nodes[i].name)) faults.push_back({node_id(i), Fault::Merged});
  }
}

// The checks that run; one of several equal checks is enough.
class Checks {
 public:
  void add(const Node& node) {
    if (!writes(node) && key_.make(node, false)) kept_.insert(key_.text());
  }
  bool has_equal(const Node& node) { return !writes(node) && key_.make(node, false) && kept_.contains(key_.text()); }

 private:
  BucketKey key_{true};
  std::unordered_set<std::string> kept_;
};

// The reordered backward lacks the calls that no gradient needs.
void find_lost(const JointGraph& joint, const GraphPair& graphs, std::vector<Unsound>& faults) {
  std::unordered_set<std::string_view> kept;
  for (const Graph* side : {&graphs.forward, &graphs.backward}) {
    for (const Node& node : side->nodes) {
      if (has_effect(node)) kept.insert(node.name);
    }
  }
  Checks checks;
  std::vector<NodeId> lost;
  for (std::size_t i = 0; i < joint.graph.size(); ++i) {
    const Node& node = joint.graph.nodes[i];
    if (!has_effect(node)) continue;
    if (kept.contains(node.name)) checks.add(node);
    else lost.push_back(node_id(i));
  }
  for (const NodeId id : lost) {
    if (!checks.has_equal(joint.graph[id])) faults.push_back({id, Fault::EffectLost});
  }
}

// Reports only once that an input lacks a lost write.
void erase_consequences(const JointGraph& joint, std::vector<Unsound>& faults) {
  std::unordered_set<NodeId> lost;
  for (const Unsound& one : faults) {
    if (one.fault == Fault::EffectLost) lost.insert(one.node);
  }
  std::erase_if(faults, [&](const Unsound& one) {
    return joint.graph[one.node].is_placeholder() && one.write && lost.contains(*one.write);
  });
}

// Draws and lost writes that change nothing.
void erase_unnoticed(const JointGraph& joint, const MemoryCheck& memory, std::vector<Unsound>& faults) {
  std::erase_if(faults, [&](const Unsound& one) {
    if (one.fault == Fault::DrawnAgain) {
      return memory.is_unread(one.node) || !memory.is_noticed_in_backward(joint.graph[one.node].name);
    }
    return one.fault == Fault::EffectLost && !memory.is_noticed(one.node);
  });
}

// An output that its side cannot compute is replaced by the input that it is a new version of: the same memory for a
// copy_, but another value for the result of a kernel.
void find_replaced(const JointGraph& joint, const ForwardBackward& sides, std::vector<Unsound>& faults) {
  const std::vector<OutputLeaf> leaves = output_leaves(joint.graph);
  for (std::size_t i = 0; i < joint.num_forward_outputs && i < leaves.size(); ++i) {
    if (!leaves[i].node || !sides.forward.outputs[i].node) continue;
    const NodeId expected = *leaves[i].node;
    const bool is_replaced = sides.forward.outputs[i].node != sides.forward.value_of(expected);
    if (!is_replaced || joint.graph[expected].calls("aten.copy_.default")) continue;
    faults.push_back({expected, Fault::OtherValue});
  }
}

}  // namespace

std::vector<bool> unsound_to_recompute(const JointGraph& joint) {
  const Graph& graph = joint.graph;
  std::vector<bool> never(graph.size(), false);
  const WrittenStorages written(joint);
  if (written.empty()) return never;
  Histories histories;
  SharedMemory memory{histories};
  MemoryRun run(graph, written, memory);
  std::unordered_map<std::size_t, std::vector<Found>> found_by;
  run.run_joint([&](std::size_t i, const std::vector<Found>& found) { found_by.emplace(i, found); });
  const StatisticsReads statistics(graph, StatisticsReads::Readers::InBackward);
  LastNeeds needs(joint, histories);
  for (const auto& [i, found] : found_by) {
    const std::vector<Found> recomputed = needs.before_last_need(i, run.find_read(i));
    never[i] = statistics.needed(i, recomputed) != statistics.needed(i, found);
  }
  std::vector<std::optional<bool>> written_by_forward(memory.regions.size());  // computed once for each region
  const auto is_written_by_forward = [&](Region region) {
    std::optional<bool>& known = written_by_forward[static_cast<std::size_t>(region)];
    History history = memory[region].history;
    while (!known && history != kUntouched && must_be_in_backward(graph[histories.last_write(history)])) {
      history = histories.before(history);
    }
    if (!known) known = history != kUntouched;
    return *known;
  };
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!node.is_call() || !written.makes_new_memory(graph, node)) continue;
    never[i] = never[i] || std::any_of(run.held(i).begin(), run.held(i).end(), is_written_by_forward);
  }
  return never;
}

bool has_hazards(const JointGraph& joint) {
  const RandomCalls random(joint.subgraphs);
  return std::ranges::any_of(joint.graph.nodes,
                             [&](const Node& node) {
                               return has_effect(node) || is_ordered_effect(node) || random.contains(joint.graph, node);
                             });
}

std::vector<Unsound> find_unsound(const JointGraph& joint, const ForwardBackward& sides, const GraphPair& graphs) {
  std::vector<Unsound> faults;
  find_replaced(joint, sides, faults);
  find_unlike(joint, faults);
  if (has_hazards(joint)) {
    const WrittenStorages written(joint);
    const RandomCalls random(joint.subgraphs);
    std::optional<MemoryCheck> memory;
    if (!written.empty()) memory.emplace(joint, written, faults).run_sides(graphs);
    find_repeated_effects(joint, sides, faults);
    find_redrawn(joint, random, sides, graphs, faults);
    find_merged(joint, random, memory ? &*memory : nullptr, faults);
    find_lost(joint, graphs, faults);
    if (memory) erase_unnoticed(joint, *memory, faults);
    erase_consequences(joint, faults);
  }
  std::ranges::stable_sort(faults, {}, &Unsound::node);
  return faults;
}

}  // namespace fxcut
