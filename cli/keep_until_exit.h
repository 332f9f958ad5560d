// Memory that nobody frees: at its end a process gives all of it back at once, while to free a large graph piece by
// piece takes as long as to partition it.
#pragma once

#include <utility>

namespace fxcut {

// The value, which lives to the end of the process. For what a command makes once.
template <typename T>
T& keep_until_exit(T value) {
  static T* kept;
  kept = new T(std::move(value));
  return *kept;
}

}  // namespace fxcut
