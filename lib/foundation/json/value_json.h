// Values of nodes, and sizes, as JSON.
#pragma once

#include <string>

#include "graph/value.h"

namespace fxcut {

// Appends the description of a value, as in a node's `val`. Scalars have no known number: null.
void append_value(const Value& value, std::string& out);

// An integer, or {"expr": ..., "hint": ..., "symbols": [...]}.
void append_size(const Size& size, std::string& out);

}  // namespace fxcut
