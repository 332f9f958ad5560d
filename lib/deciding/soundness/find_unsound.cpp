#include "soundness/find_unsound.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "classify/purity.h"
#include "classify/views_and_writes.h"
#include "normalise/equal_calls.h"
#include "soundness/last_needs.h"
#include "soundness/memory_run.h"
#include "soundness/noticed.h"
#include "soundness/statistics_reads.h"

namespace fxcut {
namespace {

bool has_effect(const Node& node) { return node.is_call() && is_impure(node) && !is_wait(node); }

// The nodes of the joint graph that a side's nodes represent: a wrapper with a generator's state the call that it runs, whose
// inputs are its first; other nodes by name, or, if a wrapper has the name, by the line of the file that it was read from.
class Originals {
 public:
  void add(const Node& node, NodeId id) {
    by_name_.emplace(node.name, id);
    if (node.origin != kNoOrigin) by_origin_.emplace(node.origin, id);
  }
  std::optional<NodeId> of(const Node& node) const {
    const std::string_view name = node.wrapped ? *node.wrapped : node.name;
    if (const auto named = by_name_.find(name); named != by_name_.end()) return named->second;
    const auto found = node.origin == kNoOrigin ? by_origin_.end() : by_origin_.find(node.origin);
    return found == by_origin_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<std::string_view, NodeId> by_name_;
  std::unordered_map<std::uint32_t, NodeId> by_origin_;
};

void add_memory(const MemoryRun& run, std::size_t node, NoticedMemory& memory) {
  for (const Region region : run.held(node)) memory.add(region);
}

// Compares the memory that the calls of the sides read with the memory that the same calls of the joint graph read. What nobody
// notices is no fault.
class MemoryCheck {
 public:
  MemoryCheck(const JointGraph& joint, const WrittenStorages& written, std::vector<Unsound>& faults)
      : joint_(joint), written_(written), faults_(faults), joint_run_(joint.graph, written, joint_memory_) {
    joint_run_.run_joint([&](std::size_t i, const std::vector<Found>& found) {
      originals_.add(joint_.graph.nodes[i], node_id(i));
      expected_.emplace(i, found);
    });
    for (std::size_t i = 0; i < joint_.graph.size(); ++i) {
      if (written_.is_overwritten(node_id(i))) originals_.add(joint_.graph.nodes[i], node_id(i));
    }
    for (const OutputLeaf& leaf : output_leaves(joint_.graph)) {
      returned_.push_back(leaf.node ? joint_run_.find({*leaf.node}) : std::vector<Found>());
    }
    for (std::size_t i = 0; i < joint_.graph.size(); ++i) {
      const Node& node = joint_.graph.nodes[i];
      if (!node.is_placeholder() || joint_run_.held(i).empty()) continue;
      originals_.add(node, node_id(i));
      left_in_inputs_.emplace(node_id(i), joint_run_.find({node_id(i)}));
    }
    NoticedMemory callers;
    add_inputs(joint_.graph, joint_run_, callers);
    noticed_in_joint_ = noticed_nodes(joint_.graph, joint_run_, [](std::size_t) { return true; }, callers);
    find_seen_writes();
  }

  void run_sides(const GraphPair& graphs) {
    MemoryRun forward(graphs.forward, written_, memory_);
    run_side(forward, graphs.forward, [](const Node&) { return std::vector<Region>(); });
    std::unordered_map<std::string_view, std::size_t> held_by_forward;  // nodes with written memory, by name
    for (std::size_t i = 0; i < graphs.forward.size(); ++i) {
      if (!forward.held(i).empty()) held_by_forward.emplace(graphs.forward.nodes[i].name, i);
    }
    MemoryRun backward(graphs.backward, written_, memory_);
    run_side(backward, graphs.backward, [&](const Node& placeholder) {
      const auto found = held_by_forward.find(placeholder.name);
      return found == held_by_forward.end() ? std::vector<Region>() : forward.held(found->second);
    });
    keep_noticed(graphs, forward, backward);
    if (faults_.empty()) compare_inputs(graphs.forward, forward);
    const std::vector<OutputLeaf> expected = output_leaves(joint_.graph);
    std::size_t position = 0;
    compare_returned(graphs.forward, forward, expected, position, joint_.num_forward_outputs);
    compare_returned(graphs.backward, backward, expected, position, expected.size());
  }

  // Whether somebody notices if the call is lost.
  bool is_noticed(NodeId in_joint) const { return noticed_in_joint_[index_of(in_joint)] && !written_.writes_same(in_joint); }
  // Whether somebody notices a write to the memory that the call of the joint graph makes.
  bool is_written_to(NodeId maker) const {
    return written_.makes_new_memory(joint_.graph, joint_.graph[maker]) &&
           std::ranges::any_of(joint_run_.held(index_of(maker)), [&](Region region) { return seen_writes_.contains(region); });
  }
  // Whether the call's result is overwritten before anybody reads it.
  bool is_unread(NodeId in_joint) const { return written_.is_overwritten(in_joint); }
  bool is_noticed_in_backward(const std::string& name) const { return !unnoticed_in_backward_.contains(name); }

 private:
  // A read of a side that differs from the joint graph's.
  struct Misread {
    const Graph* side;
    std::size_t node;
    Unsound fault;
  };

  static void add_inputs(const Graph& graph, const MemoryRun& run, NoticedMemory& memory) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (graph.nodes[i].is_placeholder()) add_memory(run, i, memory);
    }
  }

  void find_seen_writes() {
    for (std::size_t i = 0; i < joint_.graph.size(); ++i) {
      if (!noticed_in_joint_[i] || !joint_run_.changes(i)) continue;
      for (const NodeId input : written_inputs(joint_.graph.nodes[i])) add_memory(joint_run_, index_of(input), seen_writes_);
    }
  }

  // Adds the misreads that somebody notices to the faults.
  void keep_noticed(const GraphPair& graphs, const MemoryRun& forward, const MemoryRun& backward) {
    NoticedMemory memory;
    std::unordered_map<std::string_view, std::size_t> computed_by_forward;
    for (std::size_t i = 0; i < graphs.forward.size(); ++i) {
      if (graphs.forward.nodes[i].is_placeholder()) add_memory(forward, i, memory);
      else computed_by_forward.emplace(graphs.forward.nodes[i].name, i);
    }
    for (std::size_t i = 0; i < graphs.backward.size(); ++i) {
      const Node& node = graphs.backward.nodes[i];
      if (node.is_placeholder() && !computed_by_forward.contains(node.name)) add_memory(backward, i, memory);
    }
    const std::vector<OutputLeaf> leaves = output_leaves(graphs.forward);
    for (std::size_t i = 0; i < joint_.num_forward_outputs && i < leaves.size(); ++i) {
      if (leaves[i].node) add_memory(forward, index_of(*leaves[i].node), memory);
    }
    const auto in_backward = noticed_nodes(graphs.backward, backward, [](std::size_t) { return true; }, memory);
    for (std::size_t i = 0; i < graphs.backward.size(); ++i) {
      if (!in_backward[i]) unnoticed_in_backward_.insert(graphs.backward.nodes[i].name);
    }
    const auto in_forward = noticed_nodes(
        graphs.forward, forward,
        [&](std::size_t i) {
          return i < joint_.num_forward_outputs || is_noticed_in_backward(graphs.forward[*leaves[i].node].name);
        },
        memory);
    for (const Misread& one : misreads_) {
      if ((one.side == &graphs.forward ? in_forward : in_backward)[one.node]) faults_.push_back(one.fault);
    }
  }

  void run_side(MemoryRun& run, const Graph& graph, const MemoryRun::RegionsOf& given) {
    const StatisticsReads statistics(graph, StatisticsReads::Readers::All);
    run.run(given, [&](const Node& node) { return originals_.of(node); },
            [&](std::size_t i, const std::vector<Found>& found) {
              const auto original = originals_.of(graph.nodes[i]);
              if (!original) return;
              const auto in_joint = expected_.find(index_of(*original));
              if (in_joint == expected_.end()) return;
              const auto expected = statistics.needed(i, in_joint->second), needed = statistics.needed(i, found);
              if (expected != needed) misreads_.push_back({&graph, i, mismatch(*original, expected, needed, true)});
            });
  }

  // Compares what the caller finds in the forward's inputs in the end. A write may have run, but on a copy of the input.
  void compare_inputs(const Graph& graph, const MemoryRun& run) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (!graph.nodes[i].is_placeholder() || run.held(i).empty()) continue;
      const auto original = originals_.of(graph.nodes[i]);
      const auto expected = original ? left_in_inputs_.find(*original) : left_in_inputs_.end();
      if (expected == left_in_inputs_.end()) continue;
      const std::vector<Found> found = run.find({node_id(i)});
      if (found != expected->second) faults_.push_back(mismatch(*original, expected->second, found, false));
    }
  }

  // Compares the leaves from `position` to `end`.
  void compare_returned(const Graph& graph, const MemoryRun& run, const std::vector<OutputLeaf>& expected,
                        std::size_t& position, std::size_t end) {
    const std::vector<OutputLeaf> found = output_leaves(graph);
    for (std::size_t i = 0; position < end; ++i, ++position) {
      if (i >= found.size() || !found[i].node || !expected[position].node) continue;
      const std::vector<Found> held = run.find({*found[i].node});
      if (held != returned_[position]) faults_.push_back(mismatch(*expected[position].node, returned_[position], held, false));
    }
  }

  Unsound mismatch(NodeId id, const std::vector<Found>& expected, const std::vector<Found>& found, bool reads) const {
    const auto [before, now] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
    const auto is_first = [](const Found& one, const Found& other) {
      return std::pair(one.input, one.part) <= std::pair(other.input, other.part);
    };
    const bool has_before = before != expected.end() && (now == found.end() || is_first(*before, *now));
    const bool has_now = now != found.end() && (before == expected.end() || is_first(*now, *before));
    const History seen_before = has_before ? before->history : kUntouched;
    const History seen_now = has_now ? now->history : kUntouched;
    const bool is_missed = histories_.length(seen_now) < histories_.length(seen_before);
    const std::uint32_t input = has_before ? before->input : now->input;
    return {id, is_missed ? Fault::WriteMissed : Fault::Overwritten,
            reads ? std::optional(joint_.graph[id].inputs[input]) : std::nullopt,
            histories_.last_write(is_missed ? seen_before : seen_now)};
  }

  const JointGraph& joint_;
  const WrittenStorages& written_;
  std::vector<Unsound>& faults_;
  Histories histories_;
  SharedMemory joint_memory_{histories_}, memory_{histories_};
  MemoryRun joint_run_;
  Originals originals_;                                         // of the calls that read written memory, or whose result is overwritten
  std::unordered_map<std::size_t, std::vector<Found>> expected_;  // by node of the joint graph
  std::vector<std::vector<Found>> returned_;                    // by leaf of its output
  std::unordered_map<NodeId, std::vector<Found>> left_in_inputs_;  // by input
  std::vector<Misread> misreads_;
  std::vector<bool> noticed_in_joint_;                          // by node
  NoticedMemory seen_writes_;                                   // the joint graph's memory with writes that are noticed
  std::unordered_set<std::string_view> unnoticed_in_backward_;  // names of its nodes
};

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

// The checks that run; of equal checks one is enough.
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

// That an input lacks a lost write is said once.
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
    if (one.fault == Fault::DrawnAgain) return !memory.is_noticed_in_backward(joint.graph[one.node].name) || memory.is_unread(one.node);
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
