// The calls of a graph that compute with the running statistics that they are given (classify/batch_norm.h).
#pragma once

#include <cstddef>
#include <vector>

#include "graph/graph.h"
#include "soundness/memory_run.h"

namespace fxcut {

class StatisticsReads {
 public:
  // All calls that read the new running statistics count, or only those that may run in the backward: not what the forward
  // writes and returns. Linear in the graph.
  enum class Readers { All, InBackward };
  StatisticsReads(const Graph& graph, Readers readers);

  // The memory that the call reads, without running statistics on which nothing depends that is read.
  std::vector<Found> needed(std::size_t node, std::vector<Found> found) const;

 private:
  const Graph& graph_;
  std::vector<bool> updates_are_read_;  // by node: those of a batch norm
};

}  // namespace fxcut
