// Gradients of ReLUs that use booleans: where the value is at most 0 the gradient is 0, whether threshold_backward looks at the
// value or where() at the result of that comparison (PyTorch's decomposition of threshold_backward; a NaN lets the gradient pass in
// both). Their terms are the same.
#pragma once

#include "graph/graph.h"
#include "verify/terms.h"

namespace fxcut {

// The term of threshold_backward if the given one is that of such a gradient, or of threshold_backward of a value that was
// detached; otherwise the term itself.
Term as_gradient_of_relu(Terms& terms, Term term);

// The graph, and its whole step, with a call for each such comparison, y_le of y, whether or not a partition has it. None is used:
// they only have the names and descriptions by which a report knows them.
JointGraph with_signs_of_relus(JointGraph joint);

}  // namespace fxcut
