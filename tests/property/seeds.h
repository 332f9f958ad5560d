// How many random graphs a property is tried on.
#pragma once

#include <cstdint>

namespace fxcut {

// So many; of the properties that take long a fourth under the sanitizers, under which each takes several times as long: what
// they look for shows on any graph that takes the same way through the code, and the property is tried on all graphs without them.
constexpr std::uint32_t seeds(std::uint32_t without_sanitizers) {
#ifdef __SANITIZE_ADDRESS__
  return (without_sanitizers + 3) / 4;
#else
  return without_sanitizers;
#endif
}

}  // namespace fxcut
