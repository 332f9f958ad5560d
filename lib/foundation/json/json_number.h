// Counts as JSON numbers.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "graph/wide.h"

namespace fxcut {

// Exact where JSON libraries read integers (64 bits), else the nearest real number.
nlohmann::ordered_json json_number(Wide value);

}  // namespace fxcut
