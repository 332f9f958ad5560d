#include "import/python_string.h"

#include <cstdint>

namespace fxcut {
namespace {

void append_utf8(std::uint32_t code, std::string& out) {
  const auto byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xc0 | (code >> 6));
  } else {
    byte(0xe0 | (code >> 12));
    byte(0x80 | ((code >> 6) & 0x3f));
  }
  byte(0x80 | (code & 0x3f));
}

// The character that "\x41" or "\u0041" means, of as many hexadecimal digits; nothing where they are not there.
std::size_t resolve_hexadecimal(std::string_view digits, std::size_t count, std::string& out) {
  std::uint32_t code = 0;
  if (digits.size() < count) return 0;
  for (const char c : digits.substr(0, count)) {
    const std::size_t value = std::string_view("0123456789abcdef").find(c);
    if (value == std::string_view::npos) return 0;
    code = code * 16 + static_cast<std::uint32_t>(value);
  }
  if (code >= 0xd800 && code < 0xe000) return 0;  // half of a surrogate pair: no character
  append_utf8(code, out);
  return count;
}

}  // namespace

std::string resolve_python_escapes(std::string_view text) {
  constexpr std::string_view kLetters = "nrt0\\'\"", kMeanings{"\n\r\t\0\\'\"", 7};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char letter = text[++i];
    const std::size_t known = kLetters.find(letter);
    if (known != std::string_view::npos) {
      out += kMeanings[known];
    } else if (const std::size_t used = letter == 'x'   ? resolve_hexadecimal(text.substr(i + 1), 2, out)
                                        : letter == 'u' ? resolve_hexadecimal(text.substr(i + 1), 4, out)
                                                        : 0) {
      i += used;
    } else {
      (out += '\\') += letter;
    }
  }
  return out;
}

}  // namespace fxcut
