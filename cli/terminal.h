// The terminal, and the options of every command on how text is laid out and colored.
#pragma once

#include <optional>
#include <string>

#include "text/text_style.h"

namespace fxcut {

// The style for --units and --limit, each as given or empty, and for standard output: as wide as its terminal (COLUMNS, if set),
// or 100 columns if it is not one. Throws Failure (Usage) for another value.
TextStyle text_style_for(const std::string& units, const std::string& limit);

// Whether text on the stream of that number is colored: `when` is auto, always, never, or empty for auto, which is on a terminal
// (TERM not dumb) unless the environment's NO_COLOR is not empty (no-color.org). Throws Failure (Usage) for another value.
bool is_colored(const std::string& when, int stream);

}  // namespace fxcut
