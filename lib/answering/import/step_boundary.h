// What belongs to the forward of an imported step: how many of the outputs, and which inputs live anyway.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/graph_source.h"
#include "import/joint_graph_json.h"

namespace fxcut {

struct BoundaryOptions {
  std::optional<std::size_t> forward_outputs;
  std::optional<std::vector<std::string>> static_inputs;
};

// Fills head.num_forward_outputs and head.static_inputs: as asked; else as the source says, by its signature, the
// compilation's metadata, or comments behind inputs and outputs; else assumed: each primal has one gradient behind the
// forward's outputs, and no input is static. Throws Failure (BadInput) where that cannot be.
void find_step_boundary(const TextGraph& graph, const GraphSource& source, const BoundaryOptions& asked,
                        std::string_view file, JointGraphHead& head);

}  // namespace fxcut
