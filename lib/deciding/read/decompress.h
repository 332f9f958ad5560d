// Files that gzip or zstd has compressed, told by their first bytes.
#pragma once

#include <cstddef>
#include <string>

namespace fxcut {

// How many times its own size compressed data may hold. Deflate cannot exceed 1,032 times; a graph does not come near.
inline constexpr std::size_t kMostExpansion = 2000;

// How many times, where nobody has said how much memory there may be: graphs as JSON were compressed up to 40 times by
// zstd -19, and 19 times by gzip. What is small may hold so many bytes, but not kMostExpansion times its own size.
inline constexpr std::size_t kUsualExpansion = 100;
inline constexpr std::size_t kAlwaysAllowed = std::size_t{64} << 20;

enum class Expansion { Usual, Any };

// How many bytes so many compressed ones may hold.
std::size_t most_decompressed(std::size_t compressed_bytes, Expansion expansion = Expansion::Usual);

// Throws Failure (BadInput): the file holds more than that. `hint` is what to do where it is out of all proportion.
[[noreturn]] void refuse_expansion(const std::string& file_name, std::size_t compressed_bytes, std::size_t most_bytes,
                                   std::string hint);

// What `bytes` hold once they are decompressed; themselves where neither gzip nor zstd made them. Several compressed
// parts behind one another give their contents behind one another, as both programs have it. `file_name` is for
// messages. Throws Failure (BadInput) where the data is damaged, ends too early, needs more than 128 MiB of memory
// beside its content, or holds more than most_decompressed: memory stays in proportion to the input.
std::string decompressed(std::string bytes, const std::string& file_name, Expansion expansion = Expansion::Usual);

}  // namespace fxcut
