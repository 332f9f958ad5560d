#include "show/draw.h"

#include "show/picture_dot.h"

namespace fxcut {

std::string draw_dot(const JointGraph& joint, GraphForm form, const std::optional<DecisionNames>& decision,
                     const PictureLimits& limits) {
  const std::vector<DrawnNode> shown = node_states(joint, form, decision);
  return picture_dot(plan_picture(joint, form, shown, limits), joint);
}

}  // namespace fxcut
