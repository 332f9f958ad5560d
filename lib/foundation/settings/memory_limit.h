// How much may be saved.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fxcut {

// As a number of bytes, or as the least that can be.
struct MemoryLimit {
  bool is_least = false;
  std::int64_t bytes = 0;
  std::string text = "0";  // as it was written: reports say it so

  bool operator==(const MemoryLimit&) const = default;
};

MemoryLimit limit_of_bytes(std::int64_t bytes);

// "12GiB", "1.5 GB", "4096", "least"; units B, KiB, MiB, GiB, TiB and kB, KB, MB, GB, TB, or K to T. Nothing where it is none of
// these, negative, or beyond 63 bits.
std::optional<MemoryLimit> parse_memory_limit(std::string_view text);

}  // namespace fxcut
