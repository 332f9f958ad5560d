// A list of sizes or strides by dimension, short enough for the object itself for nearly all tensors.
#pragma once

#include <cstdint>

#include "graph/small_list.h"

namespace fxcut {

using Extents = SmallList<std::int64_t, 6>;

}  // namespace fxcut
