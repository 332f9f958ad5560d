// The values whose other path frees memory for the least computing.
//
// Forced to be recomputed, a saved value gives up its memory; so does one that nothing saves but that must not be
// recomputed, because of which something is saved that is computed from it. To make the decision again for every such
// value would take minutes on a large graph. So first each gets a estimate: what the storage takes that would go, where
// nothing else that is saved lies in it, less what the value's inputs take that the backward does not have; and its own
// FLOPs. Layers repeat (layers/layers.h): values of one operator and one estimate are alike there, and the
// first stands for all. The decision is made again for the most promising, a few times as many as are asked for, and
// these are ranked by what then really changes. A value that is better than its estimate can be missed.
#pragma once

#include <cstddef>
#include <vector>

#include "explain/explanation.h"
#include "explain/alternative.h"

namespace fxcut {

struct RankedCandidates {
  ExplainedGraph graph;
  std::size_t tried = 0;  // how many decisions were made again
  // Those that free memory, by how much for each FLOP that runs again, the most first; equals in execution order.
  std::vector<Candidate> candidates;
};

// At most `most` candidates. Memory is that of the activations held. Throws
// Failure (Usage) where the frontier solver decides: it fills what is freed again, up to its limit.
RankedCandidates rank_candidates(const Question& question, std::size_t most);

}  // namespace fxcut
