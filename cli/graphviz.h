// Pictures by Graphviz, whose program `dot` runs as a process of its own.
#pragma once

#include <string>

namespace fxcut {

// What `dot -Tsvg` makes of the graph. Throws Failure (FileTrouble) where there is no such program, or it fails.
std::string render_svg(const std::string& dot);

}  // namespace fxcut
