// A whole step as a joint graph, so that everything that decides on joint graphs works for steps, too.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// `read` is as read from the file; its `graph` is a whole step, in which unused random calls stay if `impure_random`. The result
// is a joint graph without tangents: first what does not depend on the backward, its outputs first, then the backward, the
// optimizer and all else that does. Both keep their order (step/late_calls.h). Forward outputs that the step does not return come
// last (step/forward_ends.h): the forward computes them, and nobody holds them. Nodes are tagged MustBeInBackward or IsForward
// accordingly, unless they must be in the forward. The step itself is kept as `step`.
JointGraph joint_of_step(JointGraph read, bool impure_random);

}  // namespace fxcut
