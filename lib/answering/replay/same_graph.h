// Whether a decision is one on this graph.
#pragma once

#include "graph/fingerprint.h"
#include "graph/graph.h"
#include "report/report.h"

namespace fxcut {

// `joint` as it was read, and its fingerprint. Throws Failure (BadInput) where `decision` was made on another graph or
// by another release of PyTorch: with the aspects in which the graphs differ, and the rows that name a node that is not
// there or has another operator, dtype or shape. Reports without a fingerprint are held to their rows alone.
void require_same_graph(const Report& decision, const GraphFingerprint& fingerprint, const JointGraph& joint);

}  // namespace fxcut
