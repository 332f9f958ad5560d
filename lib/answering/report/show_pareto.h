// The trade-off as text, CSV, JSON and a picture. The same points give the same bytes.
#pragma once

#include <string>

#include "report/pareto.h"

namespace fxcut {

// The points, fewest bytes first, then PyTorch's, each with how far it is above the hull. Lines end in newlines.
std::string pareto_table(const Pareto& pareto);

// A line a point: the frontier's first, then PyTorch's with their settings. What is not known is left empty.
std::string pareto_csv(const Pareto& pareto);

// schemas/pareto.schema.json, with a newline at its end.
std::string pareto_json(const Pareto& pareto);

// A chart in SVG: saved bytes to the right, what recomputing costs upwards, the hull as a line through its corners, the
// points between them, and PyTorch's answers as numbered diamonds that a legend explains. It follows the reader's light
// or dark colour scheme.
std::string pareto_svg(const Pareto& pareto);

}  // namespace fxcut
