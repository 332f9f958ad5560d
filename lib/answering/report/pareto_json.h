// The trade-off as JSON (schemas/pareto.schema.json).
#pragma once

#include <string>

#include "report/pareto.h"

namespace fxcut {

// With a newline at its end. The same points give the same bytes.
std::string pareto_json(const Pareto& pareto);

}  // namespace fxcut
