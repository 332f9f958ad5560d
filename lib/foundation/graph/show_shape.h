// Human-readable shapes.
#pragma once

#include <string>

#include "graph/value.h"

namespace fxcut {

// "[8192, s0]".
std::string show_shape(const Sizes& shape);

}  // namespace fxcut
