#include "json/json_number.h"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

namespace fxcut {

nlohmann::ordered_json json_number(Wide value) {
  if (value < 0 && value >= std::numeric_limits<std::int64_t>::min()) return static_cast<std::int64_t>(value);
  if (value >= 0 && value <= Wide{std::numeric_limits<std::uint64_t>::max()}) return static_cast<std::uint64_t>(value);
  return static_cast<double>(value);
}

}  // namespace fxcut
