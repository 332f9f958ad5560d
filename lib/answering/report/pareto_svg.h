// The trade-off as a picture.
#pragma once

#include <string>

#include "report/pareto.h"

namespace fxcut {

// A chart in SVG: saved bytes to the right, what recomputing costs upwards, the hull as a line through its corners, the
// points between them, and PyTorch's answers as numbered diamonds that a legend explains. It follows the reader's light
// or dark colour scheme. The same points give the same bytes.
std::string pareto_svg(const Pareto& pareto);

}  // namespace fxcut
