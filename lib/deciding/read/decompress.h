// Files compressed by gzip or zstd, recognized by their first bytes.
#pragma once

#include <cstddef>
#include <string>

namespace fxcut {

// The limit of expansion. Deflate cannot exceed 1,032 times; a graph is far below that.
inline constexpr std::size_t kMaxExpansion = 2000;

// The limit without a limit of memory from the user: zstd -19 compresses graphs in JSON up to 40 times, gzip 19 times.
// Small files may always expand to kAlwaysAllowed bytes within kMaxExpansion.
inline constexpr std::size_t kUsualExpansion = 100;
inline constexpr std::size_t kAlwaysAllowed = std::size_t{64} << 20;

enum class Expansion { Usual, Any };

// The most bytes that `compressed_bytes` may expand to.
std::size_t max_decompressed_bytes(std::size_t compressed_bytes, Expansion expansion = Expansion::Usual);

// Throws Failure (BadInput): the file expands to more than that. `hint` is used if it exceeds kMaxExpansion.
[[noreturn]] void refuse_expansion(const std::string& file_name, std::size_t compressed_bytes, std::size_t most_bytes,
                                   std::string hint);

// The decompressed content; `bytes` itself if it is not compressed. Several compressed parts in a row give their
// contents in a row, as both programs do. `file_name` is for messages. Throws Failure (BadInput) if the data is
// damaged, ends too early, needs more than 128 MiB of memory in addition to its content, or expands to more than
// max_decompressed_bytes: memory stays in proportion to the input.
std::string decompressed(std::string bytes, const std::string& file_name, Expansion expansion = Expansion::Usual);

}  // namespace fxcut
