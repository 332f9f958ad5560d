// The memory that the two graphs of a partition use while they run, counted by verify for itself: both run node by node,
// nothing is computed, and buffers are taken and freed as the values would be.
//
// A result is in the buffer of the first of its call's inputs that is in the same storage, or else in a buffer of its own,
// as large as the storage. Items of a tuple, and results of a wait, are in the buffer of their source; a copy to or from
// the host has its own. A buffer is freed after the last use of any value in it. The caller keeps inputs, tangents and
// outputs to the end, but not the values that are for the backward. Parameters, buffers and constants count apart, and so
// do the other inputs of the forward. Memory of the host counts 0: offloaded copies, and in a graph with another device
// all that is on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph/graph.h"
#include "graph/wide.h"
#include "verify/crossing.h"

namespace fxcut {

// A node that runs, of a side; placeholders do not.
struct RunningNode {
  bool in_backward = false;
  const Node* node = nullptr;
};

struct CountedBuffer {
  enum class Owner { Step, Inputs, Parameters };
  static constexpr std::size_t kToTheEnd = std::numeric_limits<std::size_t>::max();

  RunningNode maker;  // or the placeholder that it comes with
  std::int64_t bytes = 0;
  std::size_t first_step = 0;
  std::size_t last_step = 0;
  Owner owner = Owner::Step;
};

struct CountedMemory {
  std::vector<RunningNode> steps;  // the forward's, then the backward's
  std::vector<Wide> bytes;         // by step: of the step's buffers, while the node runs
  std::vector<CountedBuffer> buffers;     // in the order in which they are taken
  std::size_t num_forward_steps = 0;
  Wide between_bytes = 0;  // after the forward's last step

  std::int64_t bytes_of(CountedBuffer::Owner owner) const;
};

// `joint` gives the size of each storage, and tells where equal calls were merged: a side's call then uses another
// operand than the joint graph's call of its name, and both operands count as one storage.
CountedMemory count_memory(const JointGraph& joint, const GraphPair& sides, const std::vector<CrossingValue>& crossings);

}  // namespace fxcut
