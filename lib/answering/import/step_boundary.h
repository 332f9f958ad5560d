// The boundary of an imported step: the gradient at which the backward begins, the number of the forward's outputs, and the
// always resident inputs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/joint_graph_json.h"
#include "python_text/graph_source.h"

namespace fxcut {

// An exported program with a joint graph has no tangents: the gradient of its loss is a constant that the graph itself creates.
// The partition needs a tangent, at which the backward begins: this turns the call that creates the loss's gradient,
// full_like(loss, 1) or ones_like(loss), into an input `tangents_1` under its own name, and records that in `head`. Throws
// Failure (BadInput) if the signature has no loss, or the graph no such call.
void replace_loss_gradient(TextGraph& graph, const ExportSignature& signature, std::string_view file, JointGraphHead& head);

struct BoundaryOptions {
  std::optional<std::size_t> forward_outputs;
  std::optional<std::vector<std::string>> static_inputs;
};

// Fills head.num_forward_outputs and head.static_inputs: from the options; otherwise from the source's signature, the
// compilation's metadata, or comments after inputs and outputs; otherwise by assuming that each primal has one gradient after the
// forward's outputs, and no input is static. Throws Failure (BadInput) if that is impossible.
void find_step_boundary(const TextGraph& graph, const GraphSource& source, const BoundaryOptions& options,
                        std::string_view file, JointGraphHead& head);

}  // namespace fxcut
