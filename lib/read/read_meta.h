// A node's `meta` from JSON.
#pragma once

#include <string_view>

#include "graph/graph.h"
#include "read/fields.h"

namespace fxcut {

// Fills `node.meta` and `node.provenance`. Unknown keys are ignored.
void read_meta(const JsonValue& json, Node& node, Mistakes& mistakes);

}  // namespace fxcut
