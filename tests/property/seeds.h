// How many random graphs a property is tried on, and how many cases are to be found among them.
#pragma once

#include <cstdint>

namespace fxcut {

// So many; of the properties that take long an eighth under the address sanitizer, where each takes several times as long: what
// that looks for shows on any graph that takes the same way through the code, and without it the property is tried on all.
constexpr std::uint32_t seeds(std::uint32_t without_sanitizer) {
#ifdef FXCUT_SANITIZED
  return (without_sanitizer + 7) / 8;
#else
  return without_sanitizer;
#endif
}

}  // namespace fxcut
