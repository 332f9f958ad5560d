// Whether the calls of two sides read what the same calls of the joint graph read.
//
// Both are run on the histories of their written memory (soundness/memory_run.h). A call of a side whose operands have other
// histories misreads them; so does an output, or the caller who finally looks into the inputs. Unobservable differences
// (soundness/noticed.h) are not faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "graph/graph.h"
#include "soundness/memory_run.h"
#include "soundness/noticed.h"
#include "soundness/unsound.h"

namespace fxcut {

// Maps a side's nodes to the joint graph's: a wrapper with a generator's state to the call that it runs, whose inputs come first;
// other nodes by name, or, if a wrapper has the name, by the line of the file.
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

class MemoryCheck {
 public:
  // All are kept by reference. Runs the joint graph.
  MemoryCheck(const JointGraph& joint, const WrittenStorages& written, std::vector<Unsound>& faults);

  // Adds the faults of these sides. To be called once.
  void run_sides(const GraphPair& graphs);

  // Whether losing the call is observable.
  bool is_noticed(NodeId in_joint) const { return noticed_in_joint_[index_of(in_joint)] && !written_.writes_same(in_joint); }
  // Whether a write to the memory made by the joint graph's call is observable.
  bool is_written_to(NodeId maker) const;
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

  void find_seen_writes();
  // Adds observable misreads to the faults.
  void keep_noticed(const GraphPair& graphs, const MemoryRun& forward, const MemoryRun& backward);
  void run_side(MemoryRun& run, const Graph& graph, const MemoryRun::RegionsOf& given);
  // The same with histories that tell contents apart, where these were restored by a copy.
  std::vector<Found> contents(std::vector<Found> read) const;
  // Compares the final contents of the forward's inputs. A write may have run, but on a copy of the input.
  void compare_inputs(const Graph& graph, const MemoryRun& run);
  // Compares the leaves from `position` to `end`.
  void compare_returned(const Graph& graph, const MemoryRun& run, const std::vector<OutputLeaf>& expected, std::size_t& position,
                        std::size_t end);
  Unsound mismatch(NodeId id, const std::vector<Found>& expected, const std::vector<Found>& found, bool reads) const;

  const JointGraph& joint_;
  const WrittenStorages& written_;
  std::vector<Unsound>& faults_;
  Histories histories_;
  SharedMemory joint_memory_{histories_}, memory_{histories_};
  MemoryRun joint_run_;
  Originals originals_;                                         // of calls that read written memory or are overwritten
  std::unordered_map<std::size_t, std::vector<Found>> expected_;  // by node of the joint graph
  std::vector<std::vector<Found>> returned_;                    // by leaf of its output
  std::unordered_map<NodeId, std::vector<Found>> left_in_inputs_;  // by input
  std::vector<Misread> misreads_;
  std::vector<bool> noticed_in_joint_;                          // by node
  NoticedMemory seen_writes_;                                   // the joint graph's memory with writes that are noticed
  std::unordered_set<std::string_view> unnoticed_in_backward_;  // names of its nodes
};

}  // namespace fxcut
