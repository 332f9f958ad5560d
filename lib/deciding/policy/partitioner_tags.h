// The sides that nodes are tied to.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// The graph without the tags that have no meaning in its release, so that nothing else need ask.
JointGraph drop_unknown_tags(JointGraph joint);

}  // namespace fxcut
