// A picture as text for Graphviz.
#pragma once

#include <optional>
#include <string>

#include "show/decision_names.h"
#include "show/picture.h"

namespace fxcut {

// A directed graph in the DOT language: modules are clusters, colours show the side and the state of values. The backward's
// arrows point upwards, so that each of its layers is next to the forward's.
std::string draw_dot(const JointGraph& joint, GraphForm form, const std::optional<DecisionNames>& decision,
                     const PictureLimits& limits);

}  // namespace fxcut
