// The phases of a step as text.
#pragma once

#include <cstddef>
#include <string>

#include "graph/graph.h"

namespace fxcut {

// A letter for each node of the step that `joint` was made of: F, B or O.
inline std::string phases_of(const JointGraph& joint) {
  std::string phases;
  for (const Node& node : joint.step->graph.nodes) phases += "FBO"[static_cast<std::size_t>(node.meta.phase)];
  return phases;
}

}  // namespace fxcut
