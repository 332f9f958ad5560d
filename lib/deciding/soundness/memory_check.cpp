#include "soundness/memory_check.h"

#include <algorithm>
#include <utility>

#include "classify/views_and_writes.h"
#include "soundness/statistics_reads.h"

namespace fxcut {
namespace {

void add_memory(const MemoryRun& run, std::size_t node, NoticedMemory& memory) {
  for (const Region region : run.held(node)) memory.add(region);
}

void add_inputs(const Graph& graph, const MemoryRun& run, NoticedMemory& memory) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].is_placeholder()) add_memory(run, i, memory);
  }
}

}  // namespace

MemoryCheck::MemoryCheck(const JointGraph& joint, const WrittenStorages& written, std::vector<Unsound>& faults)
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

void MemoryCheck::run_sides(const GraphPair& graphs) {
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

bool MemoryCheck::is_written_to(NodeId maker) const {
  return written_.makes_new_memory(joint_.graph, joint_.graph[maker]) &&
         std::ranges::any_of(joint_run_.held(index_of(maker)), [&](Region region) { return seen_writes_.contains(region); });
}

void MemoryCheck::find_seen_writes() {
  for (std::size_t i = 0; i < joint_.graph.size(); ++i) {
    if (!noticed_in_joint_[i] || !joint_run_.changes(i)) continue;
    for (const NodeId input : written_inputs(joint_.graph.nodes[i])) add_memory(joint_run_, index_of(input), seen_writes_);
  }
}

void MemoryCheck::keep_noticed(const GraphPair& graphs, const MemoryRun& forward, const MemoryRun& backward) {
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
    if (!in_backward[i] || backward.is_overwritten(i)) unnoticed_in_backward_.insert(graphs.backward.nodes[i].name);
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

void MemoryCheck::run_side(MemoryRun& run, const Graph& graph, const MemoryRun::RegionsOf& given) {
  const StatisticsReads statistics(graph, StatisticsReads::Readers::All);
  run.run(given, [&](const Node& node) { return originals_.of(node); },
          [&](std::size_t i, const std::vector<Found>& found) {
            const auto original = originals_.of(graph.nodes[i]);
            if (!original) return;
            const auto in_joint = expected_.find(index_of(*original));
            if (in_joint == expected_.end()) return;
            const auto expected = contents(statistics.needed(i, in_joint->second)),
                       needed = contents(statistics.needed(i, found));
            if (expected != needed) misreads_.push_back({&graph, i, mismatch(*original, expected, needed, true)});
          });
}

std::vector<Found> MemoryCheck::contents(std::vector<Found> read) const {
  for (Found& one : read) one.history = histories_.first_of_same(one.history);
  std::erase_if(read, [](const Found& one) { return one.history == kUntouched; });
  return read;
}

void MemoryCheck::compare_inputs(const Graph& graph, const MemoryRun& run) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!graph.nodes[i].is_placeholder() || run.held(i).empty()) continue;
    const auto original = originals_.of(graph.nodes[i]);
    const auto expected = original ? left_in_inputs_.find(*original) : left_in_inputs_.end();
    if (expected == left_in_inputs_.end()) continue;
    const std::vector<Found> found = run.find({node_id(i)});
    if (found != expected->second) faults_.push_back(mismatch(*original, expected->second, found, false));
  }
}

void MemoryCheck::compare_returned(const Graph& graph, const MemoryRun& run, const std::vector<OutputLeaf>& expected,
                                   std::size_t& position, std::size_t end) {
  const std::vector<OutputLeaf> found = output_leaves(graph);
  for (std::size_t i = 0; position < end; ++i, ++position) {
    if (i >= found.size() || !found[i].node || !expected[position].node) continue;
    const std::vector<Found> held = run.find({*found[i].node});
    if (held != returned_[position]) faults_.push_back(mismatch(*expected[position].node, returned_[position], held, false));
  }
}

Unsound MemoryCheck::mismatch(NodeId id, const std::vector<Found>& expected, const std::vector<Found>& found, bool reads) const {
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

}  // namespace fxcut
