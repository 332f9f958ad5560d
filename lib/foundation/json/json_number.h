// Counts as JSON numbers.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "graph/wide.h"

namespace fxcut {

// Exact within 64 bits, which JSON libraries read as integers; else the nearest real number.
nlohmann::ordered_json json_number(Wide value);

}  // namespace fxcut
