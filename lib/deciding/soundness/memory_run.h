// What each call of a graph finds in memory, where somebody writes to it.
//
// Memory that somebody writes to has a history: the writes that it has seen, in order. A call that reads finds its
// operands' memory with some history; where a call of a side finds another than the same call of the joint graph did,
// it computes something else. Tensors of one storage number share memory: a call's result shares that of an operand
// of the same number, and lies in new memory else. So what is computed a second time has not seen what was written to
// the first. Only storages that some call of the joint graph writes to are followed; most graphs have none.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The storages that some call of a graph writes to. Numbers that merging of equal calls has made one are one.
class WrittenStorages {
 public:
  explicit WrittenStorages(const JointGraph& joint);

  bool empty() const { return numbers_.empty(); }
  // Those that the value lies in, each once.
  std::vector<std::int64_t> in(const Value* value) const;
  // Those that the value lies in and no operand of the call does.
  bool makes_new_memory(const Graph& graph, const Node& call) const;

 private:
  const MergedStorages& merged_;
  std::unordered_set<std::int64_t> numbers_;
};

// A sequence of writes, as a number: equal sequences have the same one.
using History = std::uint32_t;
inline constexpr History kUntouched = 0;

class Histories {
 public:
  // `before`, and then the write of a node of the joint graph.
  History after(History before, NodeId write);
  // How many writes it has seen, and, where there is one, the last.
  std::uint32_t length(History history) const { return history == kUntouched ? 0 : steps_[history - 1].length; }
  NodeId last_write(History history) const { return steps_[history - 1].write; }
  // The history without its last write.
  History before(History history) const { return steps_[history - 1].before; }

 private:
  struct Step {
    History before;
    NodeId write;
    std::uint32_t length;
  };
  std::vector<Step> steps_;  // of history h at h - 1
  std::map<std::pair<History, NodeId>, History> known_;
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

  Region make(std::int64_t storage);
  void write(Region region, NodeId write);
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
  // Told of each call that reads memory that is followed: what has a history, in order, and whether it writes.
  using Read = std::function<void(std::size_t node, const std::vector<Found>& found)>;
  // The node of the joint graph that a node stands for, or nothing.
  using Original = std::function<std::optional<NodeId>(const Node&)>;

  MemoryRun(const Graph& graph, const WrittenStorages& written, SharedMemory& memory)
      : graph_(graph), written_(written), memory_(memory), held_(graph.size()) {}

  // Runs the graph. A placeholder of which `given` knows nothing lies in memory by its storages, as others of this run do.
  void run(const RegionsOf& given, const Original& original, const Read& read);
  // The same of the joint graph itself.
  void run_joint(const Read& read);

  const std::vector<Region>& held(std::size_t node) const { return held_[node]; }
  // What these nodes hold now.
  std::vector<Found> find(const std::vector<NodeId>& nodes) const;

 private:
  std::vector<Region> own_memory(const Node& placeholder);
  std::vector<Region> result_memory(const Node& call);
  std::optional<Region> operand_memory(const Node& call, std::int64_t storage) const;
  void write(const Node& call, NodeId original);

  const Graph& graph_;
  const WrittenStorages& written_;
  SharedMemory& memory_;
  std::vector<std::vector<Region>> held_;           // by node
  std::unordered_map<std::int64_t, Region> inputs_;  // by storage
};

}  // namespace fxcut
