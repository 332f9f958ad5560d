// How long memory is in use during a training step.
//
// The forward's nodes run in their order, then the backward's, each as a call of its own: fusion by a compiler, a
// kernel's workspace, and values within a subgraph's call do not count. Memory counts by storage, at its largest extent
// by any value of the joint graph. A result shares the memory of an input with the same storage number, otherwise it
// has memory of its own, so a recomputed value is allocated a second time. Memory is freed after its last use through
// any alias.
//
//   parameters, buffers, constants  always resident, and counted separately
//   other inputs of the step        are the caller's throughout, and counted separately
//   outputs of the forward          are kept by the caller to the end of the step
//   values for the backward         are held to their last use there
//   tangents                        begin with the backward, whose caller keeps them to its end
//   gradients                       are held from their nodes to the end
//
// A whole step is one graph, whose nodes run in their order. Its inputs are the caller's, and its outputs, too, from their nodes
// to the end.
//
// A backward in two parts (split/split_backward.h) runs as two graphs. The second has only what it is handed: all other memory
// of the step, including the caller's, ends with the first.
//
// Host memory does not count: copies of offloaded values, and, if the graph has another device, all values on the CPU.
// Outputs and tangents count as in PyTorch's own estimate (torch._inductor.fx_passes.memory_estimator).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "cost/size.h"
#include "extract/plan_extraction.h"
#include "graph/graph.h"

namespace fxcut {

// A node that runs: any but the placeholders.
struct Step {
  Side side = Side::Forward;
  NodeId node{0};
};

// Memory that is allocated at once and freed at once.
struct Allocation {
  enum class Owner { Step, Inputs, Parameters };
  static constexpr std::size_t kKeptByCaller = std::numeric_limits<std::size_t>::max();

  Side side = Side::Forward;    // of the node
  NodeId node{0};               // that allocates it, or the input that it belongs to
  std::int64_t size_bytes = 0;  // 0 on the host
  Owner owner = Owner::Step;    // constants are the parameters'
  std::size_t first_step = 0;
  std::size_t last_step = 0;  // of its last use, or kKeptByCaller
};

struct Lifetimes {
  std::vector<Step> steps;              // the forward's, then the backward's; each side ends in its output
  std::vector<Allocation> allocations;  // in the order of allocation
};

// A value from forward to backward: positions among outputs and placeholders.
struct CarriedValue {
  std::size_t forward_output = 0;
  std::size_t backward_input = 0;
};

// `carried` are all values passed to the backward; other outputs of the forward are its caller's. `storages` are those
// of the joint graph as read, `merged` its merged_storages.
Lifetimes find_lifetimes(const GraphPair& graphs, const std::vector<CarriedValue>& carried,
                         const StorageBytes& storages, const MergedStorages& merged);

// The graphs of a step with a backward in two parts. `held` are the values between these.
struct SplitStep {
  const Graph& forward;
  const Graph& input;   // the first part of the backward, for the gradients of inputs
  const Graph& weight;  // the second
  const std::vector<CarriedValue>& saved;
  const std::vector<CarriedValue>& held;
};

struct SplitLifetimes {
  Lifetimes lifetimes;        // steps are on the sides Forward, BackwardInput and BackwardWeight
  std::vector<bool> is_held;  // by allocation: whether it is needed between the parts; parameters are not
};

SplitLifetimes find_lifetimes(const SplitStep& step, const StorageBytes& storages, const MergedStorages& merged);

// The same for a whole step; each of its nodes is on the side of the forward.
Lifetimes find_lifetimes(const Graph& step, const StorageBytes& storages, const MergedStorages& merged);

}  // namespace fxcut
