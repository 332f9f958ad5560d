// A graph from its JSON form: a joint graph (format "fx-joint-graph", version 1), or one side of a partition (format
// "fx-graph").
#pragma once

#include "graph/graph.h"
#include "json/document.h"

namespace fxcut {

class NodesAhead;

// The graph that `document` describes. A node's `origin` is the ticket of its text in the document. Unknown keys are
// ignored here; the writer carries them along. Throws Failure (BadInput) that lists the mistakes found: a wrong format
// or version, missing or ill-typed fields, names that stand twice, references to unknown or later nodes, no output node
// or several, more forward outputs than there are outputs, sizes below zero, bytes beyond 63 bits. `torch_version` says
// whose answer is wanted (release/release.h). `ahead`, where there is one, was the listener while the document was
// parsed, for the same torch_version.
JointGraph read_joint_graph(const Document& document, std::string_view torch_version = kAsProducer,
                            NodesAhead* ahead = nullptr);

enum class GraphForm : std::uint8_t { Joint, Forward, Backward };

// A graph of either format. Of a side `joint` has its nodes, and of a forward `num_forward_outputs`, its own outputs.
struct AnyGraph {
  GraphForm form = GraphForm::Joint;
  JointGraph joint;
};

// The same of a graph of any form. A side lists the static inputs of the whole step: those that it has count.
AnyGraph read_any_graph(const Document& document, std::string_view torch_version = kAsProducer);

}  // namespace fxcut
