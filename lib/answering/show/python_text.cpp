#include "show/python_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "text/characters.h"

namespace fxcut {
namespace {

// The shortest digits that read back as the same number. fmt changes to exponents at the same sizes as Python.
std::string shortest(double real) {
  if (std::isnan(real)) return "nan";
  if (std::isinf(real)) return real > 0 ? "inf" : "-inf";
  return fmt::format("{}", real);
}

void append_escaped(std::uint32_t code, std::string& out) {
  const auto to = std::back_inserter(out);
  if (code <= 0xff) {
    fmt::format_to(to, "\\x{:02x}", code);
  } else if (code <= 0xffff) {
    fmt::format_to(to, "\\u{:04x}", code);
  } else {
    fmt::format_to(to, "\\U{:08x}", code);
  }
}

void append_character(std::uint32_t code, std::string_view bytes, char quote, std::string& out) {
  constexpr std::string_view kControls = "\n\r\t", kLetters = "nrt";
  if (bytes.front() == quote || bytes.front() == '\\') {
    (out += '\\') += bytes;
  } else if (const std::size_t control = kControls.find(bytes.front()); control != std::string_view::npos) {
    (out += '\\') += kLetters[control];
  } else if (code == kNoCharacter || !is_unprintable(code)) {
    out += bytes;
  } else {
    append_escaped(code, out);
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
  while (!text.empty()) {
    const auto [code, bytes] = first_character(text);
    append_character(code, text.substr(0, bytes), quote, out);
    text.remove_prefix(bytes);
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
