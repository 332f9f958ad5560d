// Limits of memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fxcut {

// A number of bytes, or the least possible.
struct MemoryLimit {
  bool is_least = false;
  std::int64_t bytes = 0;
  std::string text = "0";  // as written, for reports

  bool operator==(const MemoryLimit&) const = default;
};

MemoryLimit limit_of_bytes(std::int64_t bytes);

// As "least" is read.
MemoryLimit least_limit();

// "12GiB", "1.5 GB", "4096", "least"; units B, KiB, MiB, GiB, TiB and kB, KB, MB, GB, TB, or K to T. None if it is not
// one of these, negative, or above 63 bits.
std::optional<MemoryLimit> parse_memory_limit(std::string_view text);

}  // namespace fxcut
