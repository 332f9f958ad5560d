// Marks the values that cross in fewer bits in the nodes' meta, for the passes that make the graphs.
#pragma once

#include <map>

#include "graph/graph.h"
#include "solve/saved_values.h"

namespace fxcut {

// `compressed`: from a decision (SavedValues::compressed).
inline void mark_compressed(JointGraph& joint, const std::map<NodeId, CompressedAs>& compressed) {
  for (const auto& [id, as] : compressed) {
    joint.graph[id].meta.compression = as.how;
    joint.graph[id].meta.compressed_dtype = as.dtype;
  }
}

}  // namespace fxcut
