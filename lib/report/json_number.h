// Counts as JSON numbers.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>

#include "graph/wide.h"

namespace fxcut {

// Exact where JSON libraries read integers (64 bits), else the nearest real number.
inline nlohmann::ordered_json json_number(Wide value) {
  if (value <= Wide{std::numeric_limits<std::uint64_t>::max()}) return static_cast<std::uint64_t>(value);
  return static_cast<double>(value);
}

}  // namespace fxcut
