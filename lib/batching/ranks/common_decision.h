// One decision for the ranks of a job, as PyTorch's _sync_decision_cross_ranks finds it.
//
// Ranks that run the same graph on parts of different sizes may decide differently, and then wait for one another in
// their collectives. PyTorch takes one rank's decision for all: of what each would save, the one that takes least on
// the rank on which it takes most; the first of those that are equal. Graphs of different structure keep their own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/pipeline.h"
#include "ranks/canonical_order.h"

namespace fxcut {

// A rank's decision, its nodes by their places in the canonical order: all that the others have to know of it.
struct RankChoice {
  std::string structure;
  std::vector<std::uint32_t> saved;          // places, in the order of the decision
  std::vector<std::string> saved_names;      // what these nodes are called on this rank
  std::vector<std::int64_t> bytes;           // by place: what saving it takes on this rank (PyTorch's _size_of)
  std::vector<std::uint8_t> tags;            // by place: what has become of the node's recompute tag; 0 for none
  bool has_random_regions = false;
};

// `order`: of decision.joint.graph. A value that has no size, which no solver saves, counts 0.
RankChoice choice_of(const Decision& decision, const CanonicalOrder& order, const Settings& settings);

struct CommonDecision {
  std::size_t picked = 0;                       // the rank whose decision it is
  std::vector<std::int64_t> largest_bytes;      // by rank: what its decision takes on the rank on which it takes most
  std::vector<bool> decides_otherwise;          // by rank: whether it would save something else than the picked one
};

// Of ranks whose graphs have one structure. `ranks` is not empty.
CommonDecision agree(std::span<const RankChoice* const> ranks);

// What the decision of `decider` saves on `rank`, in bytes.
std::int64_t saved_bytes(const RankChoice& decider, const RankChoice& rank);

// Puts `picked`, another rank's, in the place of what `decision` would save. `order`: of decision.joint.graph, which has
// the structure of the picked one.
void adopt(Decision& decision, const RankChoice& picked, const CanonicalOrder& order);

}  // namespace fxcut
