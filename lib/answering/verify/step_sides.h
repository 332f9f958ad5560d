// A whole step as two sides: all of it in the forward, nothing in the backward.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// The step as it was read, as a forward without a backward.
JointGraph as_forward(const JointGraph& step);

// The backward of such a forward: it takes nothing and returns nothing.
JointGraph empty_backward(const JointGraph& forward);

}  // namespace fxcut
