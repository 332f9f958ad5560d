#include "split/parameter_gradients.h"

namespace fxcut {

std::vector<bool> find_parameter_gradients(const JointGraph& joint) {
  std::vector<bool> is_parameter;
  for (const Node& node : joint.graph.nodes) {
    if (!is_primal(node)) continue;
    // A DTensor's mesh, which follows its local tensor, is returned again with the tensor's gradient.
    const bool is_mesh = is_opaque(node) && !is_parameter.empty();
    is_parameter.push_back(is_mesh ? bool(is_parameter.back()) : node.meta.static_lifetime);
  }
  const std::size_t gradients = output_leaves(joint.graph).size() - joint.num_forward_outputs;
  if (gradients < is_parameter.size()) return std::vector<bool>(gradients, true);
  is_parameter.resize(gradients, false);
  return is_parameter;
}

}  // namespace fxcut
