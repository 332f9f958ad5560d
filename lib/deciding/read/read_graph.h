// A graph from its JSON form: a joint graph (format "fx-joint-graph", version 1), a whole step (format "fx-step-graph"), which
// becomes a joint graph (step/joint_of_step.h), or one side of a partition (format "fx-graph").
#pragma once

#include "graph/graph.h"
#include "json/document.h"

namespace fxcut {

class NodesAhead;

// The graph of `document`. A node's `origin` is the ticket of its text in the document. Unknown keys are ignored here;
// the writer copies them. Throws Failure (BadInput) that lists the mistakes: a wrong format or version, missing or
// ill-typed fields, duplicate names, references to unknown or later nodes, no output node or several, more forward
// outputs than outputs, negative sizes, more than 2^63 - 1 bytes. `torch_version` is the release to decide as
// (release/release.h). `ahead`, if given, was the listener while the document was parsed, for the same torch_version.
JointGraph read_joint_graph(const Document& document, std::string_view torch_version = kAsProducer,
                            NodesAhead* ahead = nullptr);

enum class GraphForm : std::uint8_t { Joint, Forward, Backward };

// The sides that are a part of a backward (split/split_backward.h); of the form Backward.
inline constexpr std::string_view kInputSide = "backward_input", kWeightSide = "backward_weight";

// A graph of either format. For a side, `joint` has its nodes, and for a forward `num_forward_outputs` counts its
// outputs.
struct AnyGraph {
  GraphForm form = GraphForm::Joint;
  JointGraph joint;
  std::string side = {};  // as the file names it; empty for a whole
};

// The same for a graph of any form. A side lists the static inputs of the whole step: only its own count.
AnyGraph read_any_graph(const Document& document, std::string_view torch_version = kAsProducer);

}  // namespace fxcut
