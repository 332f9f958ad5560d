#include "text/characters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace fxcut {
namespace {

struct Range {
  std::uint32_t first, last;
};

// Unicode's categories "other" (without unassigned characters, except U+FFFE and U+FFFF, which stay so) and
// "separator", without the space: source UnicodeData.txt. Surrogates and numbers above Unicode are not UTF-8.
constexpr std::array kUnprintable = {
    Range{0, 0x1f},          Range{0x7f, 0xa0},       Range{0xad, 0xad},       Range{0x600, 0x605},
    Range{0x61c, 0x61c},     Range{0x6dd, 0x6dd},     Range{0x70f, 0x70f},     Range{0x890, 0x891},
    Range{0x8e2, 0x8e2},     Range{0x1680, 0x1680},   Range{0x180e, 0x180e},   Range{0x2000, 0x200f},
    Range{0x2028, 0x202f},   Range{0x205f, 0x2064},   Range{0x2066, 0x206f},   Range{0x3000, 0x3000},
    Range{0xd800, 0xf8ff},   Range{0xfeff, 0xfeff},   Range{0xfff9, 0xfffb},   Range{0xfffe, 0xffff},
    Range{0x110bd, 0x110bd}, Range{0x110cd, 0x110cd}, Range{0x13430, 0x13438}, Range{0x1bca0, 0x1bca3},
    Range{0x1d173, 0x1d17a}, Range{0xe0001, 0xe007f}, Range{0xf0000, kNoCharacter},
};

// Unicode's blocks of marks on other characters, and its variation selectors: source Blocks.txt.
constexpr std::array kMarks = {
    Range{0x300, 0x36f},   Range{0x1ab0, 0x1aff}, Range{0x1dc0, 0x1dff},   Range{0x20d0, 0x20ff},
    Range{0xfe00, 0xfe0f}, Range{0xfe20, 0xfe2f}, Range{0xe0100, 0xe01ef},
};

bool is_in(std::span<const Range> ranges, std::uint32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const Range& range) { return range.first <= code && code <= range.last; });
}

// The number of bytes of a character that begins with this byte; 0 if none does.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;  // only after others, or an overlong form, or above Unicode
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

}  // namespace

Character first_character(std::string_view text) {
  constexpr std::array<std::uint32_t, 5> kPayload = {0, 0x7f, 0x1f, 0x0f, 0x07}, kMinCode = {0, 0, 0x80, 0x800, 0x10000};
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = length_of(first);
  if (length == 0 || length > text.size()) return {kNoCharacter, 1};
  std::uint32_t code = first & kPayload[length];
  for (const char c : text.substr(1, length - 1)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) return {kNoCharacter, 1};
    code = (code << 6) | (byte & 0x3f);
  }
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kMinCode[length] || code > 0x10ffff || is_surrogate) return {kNoCharacter, 1};
  return {code, length};
}

bool is_unprintable(std::uint32_t code) { return is_in(kUnprintable, code); }

// fmt's padding shows the width that it uses.
std::size_t columns_of(std::string_view character) {
  if (is_in(kMarks, first_character(character).code)) return 0;
  return fmt::formatted_size("{:<2}", character) == character.size() ? 2 : 1;
}

}  // namespace fxcut
