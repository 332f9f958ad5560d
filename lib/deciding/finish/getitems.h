// The positions of getitems.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// The graph with each getitem moved to just after its tuple, so that unused items are freed early (PyTorch's
// raise_getitems). Throws Failure (NoPartition) if a getitem's key is a node, which PyTorch refuses, too.
Graph raise_getitems(Graph graph);

}  // namespace fxcut
