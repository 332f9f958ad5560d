// An exported program with a joint graph has no tangents: the gradient of its loss is a constant that the graph itself
// creates. The partition needs a tangent, at which the backward begins.
#pragma once

#include <string_view>

#include "import/graph_source.h"
#include "import/joint_graph_json.h"

namespace fxcut {

// Turns the call that creates the loss's gradient, full_like(loss, 1) or ones_like(loss), into an input `tangents_1` under
// its own name, and records that in `head`. Throws Failure (BadInput) if the signature has no loss, or the graph no such call.
void replace_loss_gradient(TextGraph& graph, const ExportSignature& signature, std::string_view file, JointGraphHead& head);

}  // namespace fxcut
