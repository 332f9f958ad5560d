// The option --hints SYMBOL=N,...: what symbolic sizes count.
#pragma once

#include <string>

#include "import/size_arithmetic.h"

namespace fxcut {

// Throws Failure (Usage) where the text is of another form.
SymbolHints parse_hints(const std::string& text);

}  // namespace fxcut
