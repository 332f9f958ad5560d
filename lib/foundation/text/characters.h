// Characters of UTF-8 text, and which of them no reader sees as they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fxcut {

struct Character {
  std::uint32_t code = 0;  // Unicode's number
  std::size_t bytes = 1;   // that it takes
};

// The code of a byte that is no part of UTF-8 text. It is unprintable.
inline constexpr std::uint32_t kNoCharacter = 0xffffffff;

// The character that the text begins with, or its first byte where that is none. The text is not empty.
Character first_character(std::string_view text);

// Whether a reader sees nothing of the character, or another thing than it is: controls of a terminal (ESC, BEL, a
// line's end), what turns the direction of writing, separators other than a space, what Unicode assigns to nobody for
// good. Python's repr() escapes the same, but for what Unicode has not assigned yet.
bool is_unprintable(std::uint32_t code);

// How many columns of a terminal a printable character takes: 2 where it is wide, as Chinese and emoji are, 0 where it is
// a mark on the character before it, else 1.
std::size_t columns_of(std::string_view character);

}  // namespace fxcut
