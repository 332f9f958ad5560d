// The values that free the most memory for the least recomputation, with few decisions.
//
// Deciding again for each value would take minutes on a large graph, so each gets an estimate first (freed_memory.h). Then the
// row that is best by its estimate is tried: the graph is decided again under a policy that recomputes all values of the row,
// and the actual change replaces the estimate. A row that has been tried and still comes before all others is found; only an
// estimate that is too low can hide a better one. The row found first stays first, so it is the same however many rows are
// asked for: fewer tries find that row or none.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "explain/alternative.h"
#include "explain/node_outcomes.h"
#include "partition/partition.h"

namespace fxcut {

struct CandidateRanking {
  std::vector<Candidate> candidates;
  bool is_first_found = false;  // else what was not tried might be before it
  std::size_t tried = 0;        // the number of rows for which the graph was decided again
};

// The changes under these policies.
using Trial = std::function<Alternative(const PolicyStack& policies)>;

// At most `most` rows, after at most `tries` decisions. Rows that free little in all (is_worth_ranking) come after all others;
// rows that free nothing, contradict a policy, or make a value differ from the joint graph's are left out. `decision` is the
// decision of `context`, and `outcomes` belong to it.
CandidateRanking rank_by_trial(const ExplainContext& context, const Decision& decision, const NodeOutcomes& outcomes,
                               const Trial& trial, std::size_t most, std::size_t tries);

// The stack of `context` with an innermost policy that has a rule for each node of the row.
PolicyStack policy_by_node(const ExplainContext& context, const Candidate& candidate);

}  // namespace fxcut
