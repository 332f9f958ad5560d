// Memory that is not freed: the process returns it at once when it ends; freeing a large graph piece by piece takes as long as
// partitioning it.
#pragma once

#include <utility>

namespace fxcut {

// Keeps the value to the end of the process. For one value of each type. Not for an unnamed namespace: there the compiler drops a
// pointer that is not read, and leak checkers report the memory as lost.
template <typename T>
T& keep_until_exit(T value) {
  static T* kept;
  kept = new T(std::move(value));
  return *kept;
}

}  // namespace fxcut
