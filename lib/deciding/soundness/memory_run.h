// The state of written memory that each call of a graph reads.
//
// Written memory has a history: its writes, in order. A call computes another value on a side than in the joint graph if
// its operands' memory has another history there. Tensors with the same storage number share memory: a call's result is in the
// memory of an operand with that number, otherwise in new memory. So a recomputed tensor lacks the writes to the first one. A
// copy to the host or back has what was written before it. A write to all of a memory begins a new history. Only storages that
// some call of the joint graph writes to are tracked; most graphs have none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "classify/overwritten_results.h"
#include "classify/whole_writes.h"
#include "graph/graph.h"

namespace fxcut {

// The storages that some call of a graph writes to; the merging of equal calls also merges their numbers.
class WrittenStorages {
 public:
  explicit WrittenStorages(const JointGraph& joint);

  bool empty() const { return numbers_.empty(); }
  // Those of the value, each once.
  std::vector<std::int64_t> in(const Value* value) const;
  // Whether that call writes to all of its memory.
  bool is_whole(NodeId write) const { return copies_.is_whole[index_of(write)]; }
  bool has_whole_writes() const { return has_whole_writes_; }
  // Whether that call copies a value to itself.
  bool is_idle(NodeId write) const { return copies_.is_idle[index_of(write)]; }
  // Whether that call writes what is there already, provided that its operands are in one memory or hold what they hold in the
  // joint graph.
  bool writes_same(NodeId write) const { return copies_.writes_same[index_of(write)]; }
  // For a call that restores an earlier content of the memory: when the memory first had it.
  const std::optional<HeldAfter>& restores(NodeId write) const { return copies_.restores[index_of(write)]; }
  // Whether the call's result is overwritten before it is read, so that its operands do not matter.
  bool is_overwritten(NodeId call) const { return is_overwritten_[index_of(call)]; }
  // Whether there is such a call.
  bool has_overwritten() const { return has_overwritten_; }
  // The calls of a side whose results it overwrites before reading them, even if the joint graph reads them.
  std::vector<bool> find_overwritten_on(const Graph& side, const OriginalOf& original) const {
    return find_overwritten_on_side(side, copies_, original, merged_);
  }
  // Whether the result has such a storage that no operand of the call has.
  bool makes_new_memory(const Graph& graph, const Node& call) const;

 private:
  const MergedStorages& merged_;
  std::unordered_set<std::int64_t> numbers_;
  CopiesInPlace copies_;                 // of the joint graph
  std::vector<bool> is_overwritten_;     // by its nodes
  bool has_whole_writes_, has_overwritten_;
};

// A sequence of writes, as a number: equal sequences have the same one.
using History = std::uint32_t;
inline constexpr History kUntouched = 0;

class Histories {
 public:
  // `before`, and then the write of a node of the joint graph.
  History after(History before, NodeId write);
  // The same for a write to all of the memory: `before` does not count. That of the first such call is remembered.
  History after_whole(History before, NodeId write);
  // The number of writes and, if there is one, the last.
  std::uint32_t length(History history) const { return history == kUntouched ? 0 : steps_[history - 1].length; }
  NodeId last_write(History history) const { return steps_[history - 1].write; }
  // The history of the memory before its last write.
  History before(History history) const { return steps_[history - 1].before; }

  // After the one history memory holds what it holds after the other, which is the first of that content.
  void note_same(History history, History first) { first_of_same_.emplace(history, first); }
  History first_of_same(History history) const {
    const auto found = first_of_same_.find(history);
    return found == first_of_same_.end() ? history : found->second;
  }

 private:
  struct Step {
    History before;
    NodeId write;
    std::uint32_t length;
  };
  std::vector<Step> steps_;  // of history h at h - 1
  std::map<std::pair<History, NodeId>, History> known_;
  std::unordered_map<History, History> first_of_same_;
};

enum class Region : std::uint32_t {};

// Shared by the runs of a forward and its backward.
struct SharedMemory {
  struct Seen {
    std::int64_t storage;
    History history = kUntouched;
  };

  Histories& histories;
  std::vector<Seen> regions = {};

  Region make(std::int64_t storage, History history = kUntouched);
  void write(Region region, NodeId write, bool is_whole = false);
  const Seen& operator[](Region region) const { return regions[static_cast<std::size_t>(region)]; }
};

// One part of an operand's memory that has a history.
struct Found {
  std::uint32_t input;  // position among the call's inputs
  std::uint32_t part;   // of a value in several storages
  History history;

  bool operator==(const Found&) const = default;
};

class MemoryRun {
 public:
  using RegionsOf = std::function<std::vector<Region>(const Node& placeholder)>;
  // Called for each call whose reading of tracked memory matters: its operands with a history, in order.
  using Read = std::function<void(std::size_t node, const std::vector<Found>& found)>;

  MemoryRun(const Graph& graph, const WrittenStorages& written, SharedMemory& memory)
      : graph_(graph), written_(written), memory_(memory), held_(graph.size()), reads_(graph.size(), false),
        writes_(graph.size(), false), is_whole_(graph.size(), false) {}

  // Runs the graph. A placeholder for which `given` returns nothing has the memory of its storages in this run.
  void run(const RegionsOf& given, const OriginalOf& original, const Read& read);
  // The same for the joint graph itself.
  void run_joint(const Read& read);

  const std::vector<Region>& held(std::size_t node) const { return held_[node]; }
  // Whether it matters what the call reads of tracked memory.
  bool reads(std::size_t node) const { return reads_[node]; }
  // Whether the call changes memory.
  bool changes(std::size_t node) const { return writes_[node]; }
  // Whether the call writes to all of its memory.
  bool is_whole(std::size_t node) const { return is_whole_[node]; }
  // Whether the call's result is overwritten before anybody reads it.
  bool is_overwritten(std::size_t node) const { return is_overwritten_[node]; }
  // The histories now of the memory that the call reads.
  std::vector<Found> find_read(std::size_t node) const;
  // The histories of these nodes' memory now.
  std::vector<Found> find(const std::vector<NodeId>& nodes) const;

 private:
  bool copies_to_itself(const Node& call, NodeId original) const;
  std::vector<bool> find_overwritten(const OriginalOf& original) const;
  std::vector<Region> own_memory(const Node& placeholder);
  std::vector<Region> result_memory(const Node& call);
  std::vector<Region> copied_memory(const Node& copy);
  std::vector<Region> waited_memory(const Node& wait);
  std::optional<Region> operand_memory(const Node& call, std::int64_t storage) const;
  void write(const Node& call, NodeId original, bool is_whole);
  void note_restored(NodeId write, Region destination);

  const Graph& graph_;
  const WrittenStorages& written_;
  SharedMemory& memory_;
  bool is_joint_ = false;
  std::vector<std::vector<Region>> held_;           // by node
  std::vector<bool> reads_, writes_, is_whole_, is_overwritten_;  // by node
  std::unordered_map<std::int64_t, Region> inputs_;  // by storage
  std::unordered_map<Region, Region> copied_;        // by copy that is waited for: its source
  std::map<std::pair<NodeId, Region>, History> after_;  // of the joint graph: by write and memory
};

}  // namespace fxcut
