// A graph's description of a node's value.
#pragma once

#include <string>

#include "graph/value.h"

namespace fxcut {

// Its kind, and for tensors dtype, sizes, strides and device: "float32 [64, s0], strides [s0, 1], on cpu". Without the storage,
// whose number is only the graph's own, and without hints of symbolic sizes. Items of tuples follow in parentheses.
std::string described(const Value& value);

}  // namespace fxcut
