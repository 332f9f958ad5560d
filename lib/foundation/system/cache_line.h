// What cores share without meaning to: a line of memory that one thread writes to has to be fetched again by each other
// that looks at anything in it, which takes longer than most of what is done there. What a thread changes all the time
// stands in lines of its own, by alignas.
#pragma once

#include <cstddef>

namespace fxcut {

inline constexpr std::size_t kCacheLine = 64;  // bytes, on x86-64 and most of ARM

}  // namespace fxcut
