// node.meta of an imported graph, as JSON.
#pragma once

#include <string>

#include "import/text_graph.h"

namespace fxcut {

// What the comment above the node says, and the tag that is assumed; empty where there is neither.
std::string node_meta_json(const TextNode& node, PartitionerTag tag);

}  // namespace fxcut
