// From a graph to its picture: the stages, in order.
#pragma once

#include <optional>
#include <string>

#include "show/decision.h"
#include "show/picture.h"

namespace fxcut {

// The picture as text in the DOT language. Throws Failure (Usage) where no node is of the module of `limits`.
std::string draw_dot(const JointGraph& joint, GraphForm form, const std::optional<DecisionNames>& decision,
                     const PictureLimits& limits);

}  // namespace fxcut
