// The trade-off for people.
#pragma once

#include <string>

#include "report/pareto.h"

namespace fxcut {

// The points, fewest bytes first, then PyTorch's, each with how far it is above the hull. Lines end in newlines.
std::string pareto_table(const Pareto& pareto);

}  // namespace fxcut
