#include "policy/partitioner_tags.h"

namespace fxcut {

JointGraph drop_unknown_tags(JointGraph joint) {
  const bool knows_forward = joint.torch.release.has(Change::MustBeInForward);
  const bool knows_backward = joint.torch.release.has(Change::BackwardTagsDecide);
  if (knows_forward && knows_backward) return joint;
  for (Node& node : joint.graph.nodes) {
    const bool is_unknown = (node.meta.tag == PartitionerTag::MustBeInForward && !knows_forward) ||
                            (node.meta.tag == PartitionerTag::MustBeInBackward && !knows_backward);
    if (is_unknown) node.meta.tag = PartitionerTag::None;
  }
  return joint;
}

}  // namespace fxcut
