// A hash of 128 bits of a sequence of numbers and texts: two lanes of 64 bits, multiplied and folded at every word. Not
// resistant to constructed collisions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace fxcut {

class Hash128 {
 public:
  void add(std::uint64_t word) {
    low_ = mix(low_ ^ word, 0x9e3779b97f4a7c15ULL);
    high_ = mix(high_ + word, 0xc2b2ae3d27d4eb4fULL);
  }

  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (std::size_t i = 0; i < text.size(); i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + i, std::min(sizeof word, text.size() - i));
      add(word);
    }
  }

  void add(double real) { add(std::bit_cast<std::uint64_t>(real)); }

  std::uint64_t low() const { return low_; }
  std::uint64_t high() const { return high_; }

  // 32 hexadecimal digits.
  std::string text() const;

 private:
  static std::uint64_t mix(std::uint64_t value, std::uint64_t factor) {
    value *= factor;
    return value ^ (value >> 29);
  }

  std::uint64_t low_ = 0x243f6a8885a308d3ULL;
  std::uint64_t high_ = 0x13198a2e03707344ULL;
};

}  // namespace fxcut
