// Tensors whose number of elements is unknown to PyTorch before 2.7: it asked for a hint of the product of the sizes, which does
// not exist if a size depends on data, and took 4096.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// Marks them (Tensor::has_unhinted_elements) if the graph's release takes them so.
void mark_unhinted_elements(JointGraph& joint);

}  // namespace fxcut
