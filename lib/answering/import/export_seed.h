// An exported program with a joint graph has no tangents: the gradient of its loss is a constant that the graph itself
// makes. The partition needs a tangent, from which the backward begins.
#pragma once

#include <string_view>

#include "import/graph_source.h"
#include "import/joint_graph_json.h"

namespace fxcut {

// Makes the call that fills the loss's gradient with ones, full_like(loss, 1) or ones_like(loss), an input `tangents_1`
// under its own name, and says so in `head`. Throws Failure (BadInput) where the signature has no loss, or there is no
// such call.
void replace_loss_gradient(TextGraph& graph, const ExportSignature& signature, std::string_view file,
                           JointGraphHead& head);

}  // namespace fxcut
