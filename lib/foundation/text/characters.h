// Characters of UTF-8 text, and which of them are unprintable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fxcut {

struct Character {
  std::uint32_t code = 0;  // Unicode's number
  std::size_t bytes = 1;   // in UTF-8
};

// The code of a byte that is not UTF-8. It is unprintable.
inline constexpr std::uint32_t kNoCharacter = 0xffffffff;

// The first character of the text, or its first byte if that is not UTF-8. The text is not empty.
Character first_character(std::string_view text);

// Whether the character is not visible as itself: controls of a terminal (ESC, BEL, a line's end), changes of the
// direction of writing, separators other than a space, permanently unassigned characters. Python's repr() escapes the
// same, and unassigned characters.
bool is_unprintable(std::uint32_t code);

// The columns of a printable character in a terminal: 2 if it is wide, such as Chinese and emoji, 0 for a mark on the character
// before it, otherwise 1.
std::size_t columns_of(std::string_view character);

}  // namespace fxcut
