// The purposes of the memory that a step uses while it runs, so that its peak is a sum of them:
//
//     saved        allocated in the forward and needed in the backward
//     output       an output of the forward, which the caller holds
//     tangent      a gradient that enters the backward, which its caller holds
//     gradient     an output of the backward, which the caller holds
//     reloaded     an offloaded value, copied back from the host
//     recomputed   computed in the backward a second time
//     optimizer    in a whole step: gradients that its optimizer takes, and what it computes
//     temporary    everything else, freed after its last use on its own side
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>

#include "graph/graph.h"
#include "memory/lifetimes.h"
#include "report/running_graphs.h"

namespace fxcut {

enum class MemoryKind : std::uint8_t { Saved, Output, Tangent, Gradient, Reloaded, Recomputed, Optimizer, Temporary };

// Its name in JSON: "saved".
std::string_view name_of(MemoryKind kind);
// "outputs", and what follows its bytes: "of the forward; their caller holds them".
std::string_view label_of(MemoryKind kind);
std::string_view meaning_of(MemoryKind kind);

class MemoryKinds {
 public:
  explicit MemoryKinds(const RunningGraphs& graphs);

  // The kind of an allocation of the step (not of its inputs or parameters) from find_lifetimes, which numbers `steps`.
  MemoryKind of(const Allocation& allocation, const std::vector<Step>& steps) const;

  // Whether a call of the backward repeats one of the forward.
  bool is_recomputed(const Node& node) const;

 private:
  RunningGraphs graphs_;
  std::unordered_set<std::string_view> forward_calls_;  // names
};

}  // namespace fxcut
