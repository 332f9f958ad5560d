// Where items are taken out of tuples.
#pragma once

#include "graph/graph.h"

namespace fxcut {

// The graph with each getitem moved to right behind the node whose value it takes apart, so that items which nobody
// uses are freed early (PyTorch's raise_getitems). Throws Failure (NoPartition) where a getitem's key is a node, which
// PyTorch refuses, too.
Graph raise_getitems(Graph graph);

}  // namespace fxcut
