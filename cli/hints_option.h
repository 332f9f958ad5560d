// The option --hints SYMBOL=N,...: numbers for symbolic sizes.
#pragma once

#include <string>

#include "import/symbolic_sizes.h"

namespace fxcut {

// Throws Failure (Usage) for other forms.
SymbolHints parse_hints(const std::string& text);

}  // namespace fxcut
