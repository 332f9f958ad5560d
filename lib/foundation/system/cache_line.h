// False sharing: a cache line that one thread writes to has to be fetched again by each other thread that reads
// anything in it, which takes longer than most of the work there. Data that a thread changes often is on lines of its
// own, by alignas.
#pragma once

#include <cstddef>

namespace fxcut {

inline constexpr std::size_t kCacheLine = 64;  // bytes, on x86-64 and most of ARM

}  // namespace fxcut
