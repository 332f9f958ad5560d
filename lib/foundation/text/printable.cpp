#include "text/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "text/characters.h"

namespace fxcut {
namespace {

// Printable ASCII: most text is only this, and is not checked further.
bool is_plain(char c) { return c >= ' ' && c <= '~'; }

void append_escaped(std::uint32_t code, char first_byte, std::string& out) {
  const auto to = std::back_inserter(out);
  if (code == kNoCharacter) {
    fmt::format_to(to, "\\x{:02x}", static_cast<unsigned char>(first_byte));
  } else if (code <= 0xffff) {
    fmt::format_to(to, "\\u{:04x}", code);
  } else {  // a pair of surrogates, JSON's only form
    fmt::format_to(to, "\\u{:04x}\\u{:04x}", 0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 0x3ff));
  }
}

// `ends_line`: whether a '\n' at the beginning of this text may end the line.
template <typename EndsLine>
std::string escaped(std::string_view text, const EndsLine& ends_line) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [code, bytes] = first_character(text);
    const bool stays = code == '\n' ? ends_line(text) : !is_unprintable(code);
    if (stays) {
      out += text.substr(0, bytes);
    } else {
      append_escaped(code, text.front(), out);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return escaped(text, [](std::string_view) { return false; });
}

std::string printable_lines(std::string_view text) {
  return escaped(text, [](std::string_view) { return true; });
}

std::string printable_paragraph(std::string_view text) {
  return escaped(text, [](std::string_view from_here) { return from_here.starts_with("\n  "); });
}

bool is_printable(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_plain)) return true;
  return printable(text) == text;
}

bool are_printable_lines(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return is_plain(c) || c == '\n'; })) return true;
  return printable_lines(text) == text;
}
namespace {

constexpr std::string_view kBetween = "...";

// `at_end`: the characters of the end that are kept.
std::string shortened_to(std::string_view text, std::size_t most, std::size_t at_end) {
  if (text.size() <= most) return std::string(text);  // there are no more characters than bytes
  std::vector<std::size_t> begins;
  for (std::size_t at = 0; at < text.size(); at += first_character(text.substr(at)).bytes) begins.push_back(at);
  if (begins.size() <= most) return std::string(text);
  const std::size_t at_begin = most - kBetween.size() - at_end;
  begins.push_back(text.size());
  return std::string(text.substr(0, begins[at_begin])).append(kBetween).append(text.substr(begins[begins.size() - 1 - at_end]));
}

}  // namespace

// The end distinguishes similar names, but the beginning is more informative.
std::string shortened(std::string_view text, std::size_t most) { return shortened_to(text, most, (most - kBetween.size()) / 3); }

std::string shortened_path(std::string_view path, std::size_t most) {
  return shortened_to(path, most, most - kBetween.size() - (most - kBetween.size()) / 3);
}

}  // namespace fxcut
