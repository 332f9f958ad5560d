// Where in the model a node comes from.
#pragma once

#include <string>

#include "graph/graph.h"

namespace fxcut {

// The module, else "FILE:LINE", else nothing.
std::string show_place(const Provenance& provenance);

}  // namespace fxcut
