// Memory that is not freed: the process returns it at once when it ends; freeing a large graph piece by piece takes as long as
// partitioning it.
#pragma once

#include <utility>

namespace fxcut {

// The value, which is kept to the end of the process. For one value of each type. Not for an unnamed namespace: there the
// compiler drops a pointer that nobody reads, and leak checkers find the memory lost.
template <typename T>
T& keep_until_exit(T value) {
  static T* kept;
  kept = new T(std::move(value));
  return *kept;
}

}  // namespace fxcut
