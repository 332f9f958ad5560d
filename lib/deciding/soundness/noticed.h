// The nodes whose effects are observable. A write that no output, no memory of the caller and no check depends on changes
// nothing: it may be lost, and the written value may be wrong. They are found by one walk over the graph in reverse, which knows
// of each memory whether it will be read.
#pragma once

#include <functional>
#include <vector>

#include "graph/graph.h"
#include "soundness/memory_run.h"

namespace fxcut {

// For each region, whether what it holds now is noticed later; it grows as regions become noticed.
class NoticedMemory {
 public:
  bool contains(Region region) const { return index(region) < noticed_.size() && noticed_[index(region)]; }
  void add(Region region);
  void remove(Region region);

 private:
  static std::size_t index(Region region) { return static_cast<std::size_t>(region); }
  std::vector<bool> noticed_;
};

// For each node of a graph that `run` has run, whether its effect is observable. `memory`: in, the memory observed after the
// graph; out, before it. `is_noticed_output`: the same for the leaves of the output.
std::vector<bool> noticed_nodes(const Graph& graph, const MemoryRun& run,
                                const std::function<bool(std::size_t)>& is_noticed_output, NoticedMemory& memory);

}  // namespace fxcut
