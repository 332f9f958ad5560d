// The gradient of a ReLU takes the ReLU's result, and looks only at its sign. Where nothing else in the backward needs that
// result, its sign is a boolean of its own here, which can be saved as a bit:
//
//     y = relu(x)                                    y = relu(x)
//                                                    m = le(y, 0)
//     threshold_backward(grad, y, 0)                 where(m, 0, grad)
//
// PyTorch's decompositions do so to every threshold_backward (torch/_decomp/decompositions.py), so that graphs for inductor have
// none; those for other back ends keep it. Each boolean is computed directly after the value it is of, so that the value does not
// stay in memory until the forward ends.
#pragma once

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// `joint` after its checkpointed regions were inlined; without forms of fewer bits, Compress::None, as it is. The gradients keep
// their names, and a boolean is named after the value, y_le. A gradient stays as it is unless the value is computed by the
// forward, in memory that nothing writes to and no other call of the backward uses, and the result has the value's strides,
// without gaps, and the gradient's dtype, as where() returns it.
JointGraph decompose_threshold_backward(JointGraph joint, Compress compress);

}  // namespace fxcut
