#include "graph/hash128.h"

#include <fmt/format.h>

namespace fxcut {

std::string Hash128::text() const { return fmt::format("{:016x}{:016x}", high_, low_); }

}  // namespace fxcut
