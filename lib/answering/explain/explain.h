// fxcut explain: why nodes are saved, recomputed, or neither.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "explain/alternative.h"
#include "explain/explanation.h"

namespace fxcut {

struct Explanations {
  ExplainedGraph graph;
  std::vector<NodeExplanation> nodes;
};

// Explains the nodes of these names, in that order; a merged node is followed by the node that it was merged into. Throws
// Failure (Usage) that lists every unknown name, and the failures of decide().
Explanations explain(const ExplainContext& context, const std::vector<std::string>& names);

// The graph that was decided on, and how.
ExplainedGraph describe_graph(const Decision& decision, const Settings& settings);

struct RankedCandidates {
  ExplainedGraph graph;
  std::size_t tried = 0;  // the number of rows for which the graph was decided again
  // In the order of candidate_ranking.h.
  std::vector<Candidate> candidates;
};

// At most `most` candidates, ranked by the activations held. Throws Failure (Usage) if the frontier solver decides, since
// it fills the freed memory up to its limit again.
RankedCandidates rank_candidates(const ExplainContext& context, std::size_t most);

// One paragraph for each node; long paths and lists are shortened.
std::string explanation_text(const Explanations& explained);

// One line for each candidate.
std::string candidates_text(const RankedCandidates& ranked);

// schemas/explain.schema.json.
std::string explanation_json(const Explanations& explained);
std::string candidates_json(const RankedCandidates& ranked);

// The stack of `context` with an innermost policy that does what the candidate's row says: one rule by operator, module and size
// if that has the same effect, otherwise a rule for each node.
PolicyStack policy_for(const ExplainContext& context, const Candidate& candidate);

}  // namespace fxcut
