// The results that a graph overwrites before it reads them (classify/overwritten_results.h).
#pragma once

#include "classify/whole_writes.h"
#include "graph/graph.h"
#include "verify/evaluator.h"

namespace fxcut {

// Notes them for the joint graph and for both sides. A side may at once overwrite a value that the joint graph still reads, if it
// computes that value again; only its copies that are whole writes of the joint graph count. `copies` are the joint graph's.
// Linear.
void find_overwritten(const Graph& joint, const Graph& forward, const Graph& backward, const CopiesInPlace& copies,
                      EvaluationContext& context);

}  // namespace fxcut
