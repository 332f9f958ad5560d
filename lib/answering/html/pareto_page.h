// The trade-off between memory and recomputation as a page: a chart whose points can be picked, each with its figures and the
// command that makes it.
#pragma once

#include <string>

#include "report/pareto.h"

namespace fxcut {

// The complete file, of assets/pareto.html (html/template.h).
std::string pareto_page(const Pareto& pareto);

}  // namespace fxcut
