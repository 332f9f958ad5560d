// How long memory is in use while a training step runs.
//
// The forward's nodes run in their order, then the backward's, each as a call of its own: what a compiler would fuse,
// what a kernel needs to work in, and what a subgraph makes within its call are not seen. Memory counts by storage, at
// its largest extent by any value of the joint graph. A result shares the memory of an input that has the same storage
// number, and else takes memory of its own, so what the backward computes again is there a second time. It is freed
// behind its last use through any alias.
//
//   parameters, buffers, constants  live anyway, and count apart
//   other inputs of the step        are the caller's throughout, and count apart
//   outputs of the forward          are kept by the caller to the end of the step
//   values for the backward         live to their last use there
//   tangents                        come with the backward, whose caller keeps them to its end
//   gradients                       live from their nodes to the end
//
// What lies on the host does not count: copies that offload to it, and, where the graph has another device, all that is
// on the CPU. Outputs and tangents are seen as PyTorch's own estimate (torch._inductor.fx_passes.memory_estimator) does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "cost/storage.h"
#include "extract/plan_extraction.h"
#include "graph/graph.h"

namespace fxcut {

// A node that runs; of a side's nodes all but the placeholders do.
struct Step {
  Side side = Side::Forward;
  NodeId node{0};
};

// Memory that is taken at once and freed at once.
struct Allocation {
  enum class Owner { Step, Inputs, Parameters };
  static constexpr std::size_t kKeptByCaller = std::numeric_limits<std::size_t>::max();

  Side side = Side::Forward;    // of the node
  NodeId node{0};               // that makes it, or with which it comes
  std::int64_t size_bytes = 0;  // 0 on the host
  Owner owner = Owner::Step;    // constants are the parameters'
  std::size_t first_step = 0;
  std::size_t last_step = 0;  // that uses it, or kKeptByCaller
};

struct Lifetimes {
  std::vector<Step> steps;              // the forward's, then the backward's; each side ends in its output
  std::vector<Allocation> allocations;  // in the order in which they are made
};

// What the forward returns and the backward takes: positions among outputs and placeholders.
struct CarriedValue {
  std::size_t forward_output = 0;
  std::size_t backward_input = 0;
};

// `carried` is all that crosses; what else the forward returns is its caller's. `storages` are those of the joint graph
// as it was read, `merged` its merged_storages.
Lifetimes find_lifetimes(const GraphPair& graphs, const std::vector<CarriedValue>& carried,
                         const StorageBytes& storages, const MergedStorages& merged);

}  // namespace fxcut
