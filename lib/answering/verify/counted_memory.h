// The memory that the two graphs of a partition use while they run, counted independently of the report: nodes run one by
// one, nothing is computed, and buffers are allocated and freed as the values would be.
//
// A result is in the buffer of its call's first input in the same storage, or otherwise in a buffer of its own, as large as the
// storage. Items of a tuple and results of a wait are in the buffer of their source; a copy to or from the host has its own. A
// buffer is freed after the last use of any value in it. The caller keeps inputs, tangents and outputs to the end, but not the
// values that are for the backward. Parameters, buffers and constants are counted separately, and so are the other inputs of the
// forward. Memory of the host counts 0: offloaded copies, and, in a graph with another device, everything on the CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.h"
#include "graph/int128.h"
#include "graph/naming.h"
#include "verify/crossing.h"

namespace fxcut {

// A call or constant of a side; placeholders do not run.
struct RunningNode {
  StepPhase phase = StepPhase::Forward;
  const Node* node = nullptr;
};

// "mul" of "mul_recomputed" and "mul_recomputed_1"; the name itself if it has no such suffix.
inline std::string_view name_without_suffix(std::string_view name) { return name.substr(0, name.rfind(kRecomputedSuffix)); }

struct CountedBuffer {
  enum class Owner { Step, Inputs, Parameters };
  static constexpr std::size_t kToTheEnd = std::numeric_limits<std::size_t>::max();

  RunningNode maker;  // or the placeholder that it belongs to
  std::int64_t bytes = 0;
  std::size_t first_step = 0;
  std::size_t last_step = 0;
  Owner owner = Owner::Step;
};

struct CountedMemory {
  std::vector<RunningNode> steps;      // the forward's, then the backward's; for a whole step as they run
  std::vector<Int128> bytes;           // by step: of the step's buffers, while the node runs
  std::vector<CountedBuffer> buffers;  // in the order of allocation

  std::int64_t bytes_of(CountedBuffer::Owner owner) const;
  // The most bytes that outlive a node of the forward before one of the backward.
  Int128 between_bytes() const;
};

// `joint` has the size of each storage, and shows which equal calls were merged: the call of a side then uses another
// operand than the joint graph's call of that name, and both operands count as one storage.
CountedMemory count_memory(const JointGraph& joint, const GraphPair& sides, const std::vector<CrossingValue>& crossings);

// The same for a whole step, before and after it was rewritten.
CountedMemory count_memory(const JointGraph& before, const Graph& rewritten);

// Each with its place in the report.
using PlacedFigures = std::vector<std::pair<std::string, ReportJson>>;

// The figures under "memory". `joint` has no regions left that are calls.
PlacedFigures memory_figures(const JointGraph& joint, const GraphPair& sides, const std::vector<CrossingValue>& crossings);
PlacedFigures memory_figures(const JointGraph& before, const Graph& rewritten);

}  // namespace fxcut
