// A whole step as a joint graph, so that all that decides on joint graphs decides on steps.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// `read` as it was read, its `graph` a whole step, in which random calls stay where nobody uses them if `impure_random`. The
// result is a joint graph without tangents: first what does not depend on the backward, its outputs first, then the backward, the
// optimizer and all else that does. Both keep their order (step/late_calls.h). Of the forward's outputs those that the step does
// not return come last (step/forward_ends.h): the forward computes them, and nobody holds them. Nodes are tagged MustBeInBackward
// or, unless they must be in the forward, IsForward by that. The step itself is kept as `step`.
JointGraph joint_of_step(JointGraph read, bool impure_random);

}  // namespace fxcut
