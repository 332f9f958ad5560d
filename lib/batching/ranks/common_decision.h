// One decision for the ranks of a job, as PyTorch's _sync_decision_cross_ranks finds it.
//
// Ranks that run the same graph on parts of different sizes may decide differently, and then wait for one another in collectives.
// PyTorch uses one rank's decision for all: the one whose saved bytes are least on the rank where they are most; the first if
// several are equal. Graphs of different structure keep their own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partition/partition.h"
#include "ranks/canonical_order.h"

namespace fxcut {

// A rank's decision, its nodes by their places in the canonical order.
struct RankChoice {
  std::string structure;
  std::vector<std::uint32_t> saved;          // places, in the order of the decision
  std::vector<std::string> saved_names;      // the names of these nodes on this rank
  std::vector<std::int64_t> bytes;           // by place: its bytes on this rank (PyTorch's _size_of)
  std::vector<std::uint8_t> tags;            // by place: the node's final recompute tag; 0: none
  bool has_random_regions = false;
};

// `order`: of decision.joint.graph. A value that has no size, which no solver saves, counts 0.
RankChoice choice_of(const Decision& decision, const CanonicalOrder& order, const Settings& settings);

// Serialised for another process: rank_choice_in(rank_choice_json(choice)) is `choice`.
std::string rank_choice_json(const RankChoice& choice);
RankChoice rank_choice_in(std::string_view text);

struct CommonDecision {
  std::size_t picked = 0;                       // the rank whose decision it is
  std::vector<std::int64_t> largest_bytes;      // by rank: the bytes of its decision on the rank where they are most
  std::vector<bool> decides_otherwise;          // by rank: whether it saves values other than the picked one's
};

// The graphs of all ranks have one structure. `ranks` is not empty.
CommonDecision agree(std::span<const RankChoice* const> ranks);

// The bytes that the decision of `decider` saves on `rank`.
std::int64_t saved_bytes(const RankChoice& decider, const RankChoice& rank);

// Replaces the saved values of `decision` by `picked`, another rank's. `order`: of decision.joint.graph, which has the same
// structure.
void adopt(Decision& decision, const RankChoice& picked, const CanonicalOrder& order);

}  // namespace fxcut
