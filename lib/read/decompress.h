// Files that gzip or zstd has compressed, told by their first bytes.
#pragma once

#include <cstddef>
#include <string>

namespace fxcut {

// How many times its own size compressed data may hold. Deflate cannot exceed 1,032 times; a graph does not come near.
inline constexpr std::size_t kMostExpansion = 2000;

// What `bytes` hold once they are decompressed; themselves where neither gzip nor zstd made them. Several compressed
// parts behind one another give their contents behind one another, as both programs have it. `file_name` is for
// messages. Throws Failure (BadInput) where the data is damaged, ends too early, needs more than 128 MiB of memory
// beside its content, or holds more than kMostExpansion times its own size: memory stays in proportion to the input.
std::string decompressed(std::string bytes, const std::string& file_name);

}  // namespace fxcut
