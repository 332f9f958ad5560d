// A joint graph from its JSON form (format "fx-joint-graph", version 1).
#pragma once

#include "graph/graph.h"
#include "read/document.h"

namespace fxcut {

// The graph that `document` describes. A node's `origin` is the ticket of its text in the document. Unknown keys are
// ignored here; the writer carries them along. Throws Failure (BadInput) that lists the mistakes found: a wrong format
// or version, missing or ill-typed fields, names that stand twice, references to unknown or later nodes, no output node
// or several, more forward outputs than there are outputs, sizes below zero, bytes beyond 63 bits. `torch_version` says
// whose answer is wanted (release/release.h).
JointGraph read_joint_graph(const Document& document, std::string_view torch_version = kAsProducer);

}  // namespace fxcut
