// The blocks of memory that PyTorch's allocators hand out, by device.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

namespace fxcut {

// kMinBlockSize of c10/cuda/CUDACachingAllocator.cpp and c10/xpu/XPUCachingAllocator.cpp: a block is a multiple of it.
inline constexpr std::int64_t kSmallestBlock = 512;

// Whether the allocator of that device rounds up; "cuda:0" is one, as is "cuda". A CPU's does not.
inline bool allocates_blocks(std::string_view device) { return device.starts_with("cuda") || device.starts_with("xpu"); }

// The size of the block for `bytes`; at most the largest multiple.
constexpr std::int64_t rounded_as_allocated(std::int64_t bytes) {
  constexpr std::int64_t kMaxBytes = std::numeric_limits<std::int64_t>::max() / kSmallestBlock * kSmallestBlock;
  return bytes > kMaxBytes ? kMaxBytes : (bytes + kSmallestBlock - 1) / kSmallestBlock * kSmallestBlock;
}

}  // namespace fxcut
