// Pictures by Graphviz's program `dot`, in a process of its own.
#pragma once

#include <string>

namespace fxcut {

// The output of `dot -Tsvg`. Throws Failure (FileTrouble) if the program is missing or fails.
std::string render_svg(const std::string& dot);

}  // namespace fxcut
