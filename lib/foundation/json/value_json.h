// What nodes compute, and sizes, as JSON.
#pragma once

#include <string>

#include "graph/value.h"

namespace fxcut {

// Appends the description of a value, as `val` of a node has it. The numbers of scalars are not known here: null.
void append_value(const Value& value, std::string& out);

// An integer, or {"expr": ..., "hint": ..., "symbols": [...]}.
void append_size(const Size& size, std::string& out);

}  // namespace fxcut
