// The memory of compiled steps as a page: the curve of one step, statement by statement, what is in use at each, and all steps.
#pragma once

#include <string>

#include "compiled/show_compiled.h"

namespace fxcut {

// The complete file, of assets/compiled.html (html/template.h). Statements that change no memory are left out.
std::string compiled_page(const CompiledMemory& memory);

}  // namespace fxcut
