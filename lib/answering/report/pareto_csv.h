// The trade-off for spreadsheets.
#pragma once

#include <string>

#include "report/pareto.h"

namespace fxcut {

// A line a point: the frontier's first, then PyTorch's with their settings. What is not known is left empty.
std::string pareto_csv(const Pareto& pareto);

}  // namespace fxcut
