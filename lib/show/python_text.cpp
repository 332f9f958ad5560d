#include "show/python_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace fxcut {
namespace {

// The shortest digits that read back as the same number. fmt goes over to exponents where Python does.
std::string shortest(double real) {
  if (std::isnan(real)) return "nan";
  if (std::isinf(real)) return real > 0 ? "inf" : "-inf";
  return fmt::format("{}", real);
}

struct Range {
  std::uint32_t first, last;
};

// What is no ASCII, and of Unicode's categories "other" (unassigned left out) and "separator": source UnicodeData.txt.
constexpr std::array kUnprintable = {
    Range{0x7f, 0xa0},     Range{0xad, 0xad},     Range{0x600, 0x605},     Range{0x61c, 0x61c},
    Range{0x6dd, 0x6dd},   Range{0x70f, 0x70f},   Range{0x890, 0x891},     Range{0x8e2, 0x8e2},
    Range{0x1680, 0x1680}, Range{0x180e, 0x180e}, Range{0x2000, 0x200f},   Range{0x2028, 0x202f},
    Range{0x205f, 0x2064}, Range{0x2066, 0x206f}, Range{0x3000, 0x3000},   Range{0xd800, 0xf8ff},
    Range{0xfeff, 0xfeff}, Range{0xfff9, 0xfffb}, Range{0x110bd, 0x110bd}, Range{0x110cd, 0x110cd},
    Range{0x13430, 0x13438}, Range{0x1bca0, 0x1bca3}, Range{0x1d173, 0x1d17a}, Range{0xe0001, 0xe007f},
    Range{0xf0000, 0x10ffff},
};

bool is_unprintable(std::uint32_t character) {
  return std::any_of(kUnprintable.begin(), kUnprintable.end(), [&](const Range& range) {
    return range.first <= character && character <= range.last;
  });
}

// How many bytes the character takes that begins with this one; 1 where none does.
std::size_t length_of(unsigned char first) { return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4; }

std::uint32_t decode(std::string_view bytes) {
  constexpr std::array<unsigned char, 5> kPayload = {0, 0x7f, 0x1f, 0x0f, 0x07};
  std::uint32_t character = static_cast<unsigned char>(bytes.front()) & kPayload[bytes.size()];
  for (const char c : bytes.substr(1)) character = (character << 6) | (static_cast<unsigned char>(c) & 0x3f);
  return character;
}

void append_ascii(char c, char quote, std::string& out) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == quote || c == '\\') {
    (out += '\\') += c;
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (byte < 0x20 || byte == 0x7f) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", byte);
  } else {
    out += c;
  }
}

void append_wide(std::string_view bytes, std::string& out) {
  const std::uint32_t character = decode(bytes);
  if (!is_unprintable(character)) {
    out += bytes;
  } else if (character <= 0xff) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", character);
  } else if (character <= 0xffff) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", character);
  } else {
    fmt::format_to(std::back_inserter(out), "\\U{:08x}", character);
  }
}

}  // namespace

std::string python_float(double real) {
  std::string text = shortest(real);
  if (std::isfinite(real) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string python_complex(double real, double imaginary) {
  if (real == 0 && !std::signbit(real)) return shortest(imaginary) + "j";
  const std::string sign = std::signbit(imaginary) && !std::isnan(imaginary) ? "" : "+";
  return "(" + shortest(real) + sign + shortest(imaginary) + "j)";
}

std::string python_string(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string out(1, quote);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::min(length_of(static_cast<unsigned char>(text[at])), text.size() - at);
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      append_ascii(text[at], quote, out);
    } else {
      append_wide(text.substr(at, length), out);
    }
    at += length;
  }
  return out + quote;
}

bool is_python_identifier(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
  };
  return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
  });
}

}  // namespace fxcut
