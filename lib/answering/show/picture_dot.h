// A picture as text for Graphviz.
#pragma once

#include <string>

#include "show/picture.h"

namespace fxcut {

// A directed graph in the DOT language: modules are clusters, colours say where a node runs and what becomes of its
// value. The backward's arrows run upwards, so that each of its layers stands beside the forward's.
std::string picture_dot(const Picture& picture, const JointGraph& joint);

}  // namespace fxcut
