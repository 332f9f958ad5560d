#include "python_text/python_lexer.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace fxcut {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }

std::size_t count_digits(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - from;
}

// Longest first.
constexpr std::array<std::string_view, 35> kSignTokens = {
    "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", "(", ")", "[", "]", "{",   "}", ",", ":", ";",
    "=",  "+",  "-",  "*",  "/",  "%",  "@",  "&",  "|",  "^", "~", "<", ">", "...", ".", "!", "?"};

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

// Appends the character of "\x41" or "\u0041" with `count` hexadecimal digits; returns 0 if they are missing.
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

PythonToken PythonLexer::next() {
  for (; line_ < end_; ++line_, column_ = 0, line_has_token_ = false) {
    std::string_view text = rest();
    const std::size_t blank = std::min(text.find_first_not_of(" \t\r"), text.size());
    column_ += blank;
    text.remove_prefix(blank);
    if (!text.empty() && text.front() == '#') {
      comments_.push_back({text.substr(1), place(), !line_has_token_});
      column_ += text.size();
      text = {};
    }
    if (text.empty()) {
      if (!line_has_token_ || open_brackets_ > 0) continue;
      line_has_token_ = false;
      return take(PythonToken::Kind::LineEnd, 0);
    }
    line_has_token_ = true;
    const bool is_fraction = text.size() > 1 && text[0] == '.' && is_digit(text[1]);
    if (is_digit(text.front()) || is_fraction) return take_number();
    if (text.front() == '"' || text.front() == '\'') return take_string();
    if (!begins_name(text.front())) return take_sign();
    const auto end = std::find_if_not(text.begin(), text.end(), continues_name);
    return take(PythonToken::Kind::Name, static_cast<std::size_t>(end - text.begin()));
  }
  PythonToken end;
  if (end_ > 0) {
    const SourceLine& last = lines_[end_ - 1];
    end.place = {last.begin.line, last.begin.column + last.text.size()};
  }
  return end;
}

PythonToken PythonLexer::take(PythonToken::Kind kind, std::size_t length) {
  PythonToken token{kind, rest().substr(0, length), place()};
  column_ += length;
  return token;
}

PythonToken PythonLexer::take_string() {
  const std::string_view text = rest();
  std::size_t end = 1;
  while (end < text.size() && text[end] != text[0]) end += text[end] == '\\' ? 2U : 1U;
  if (end >= text.size()) return take(PythonToken::Kind::Unknown, text.size());
  PythonToken token = take(PythonToken::Kind::String, end + 1);
  token.text = token.text.substr(1, end - 1);
  return token;
}

PythonToken PythonLexer::take_number() {
  const std::string_view text = rest();
  std::size_t end = count_digits(text, 0);
  bool is_real = false;
  if (end < text.size() && text[end] == '.') {
    is_real = true;
    end += 1 + count_digits(text, end + 1);
  }
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const bool has_sign = end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-');
    const std::size_t digits = count_digits(text, end + 1 + (has_sign ? 1 : 0));
    if (digits > 0) {
      is_real = true;
      end += 1 + (has_sign ? 1 : 0) + digits;
    }
  }
  if (end < text.size() && text[end] == 'j') return take(PythonToken::Kind::Imaginary, end + 1);
  return take(is_real ? PythonToken::Kind::Real : PythonToken::Kind::Integer, end);
}

PythonToken PythonLexer::take_sign() {
  const std::string_view text = rest();
  if (text.starts_with("...")) return take(PythonToken::Kind::Sign, 3);
  const auto* const sign =
      std::find_if(kSignTokens.begin(), kSignTokens.end(), [&](std::string_view known) { return text.starts_with(known); });
  if (sign == kSignTokens.end()) return take(PythonToken::Kind::Unknown, 1);
  if (*sign == "(" || *sign == "[" || *sign == "{") ++open_brackets_;
  if ((*sign == ")" || *sign == "]" || *sign == "}") && open_brackets_ > 0) --open_brackets_;
  return take(PythonToken::Kind::Sign, sign->size());
}

std::string_view PythonLexer::take_angle_brackets() {
  if (line_ >= end_) return {};
  const std::string_view text = rest();
  std::size_t depth = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) {
      column_ += i + 1;
      return text.substr(0, i);
    }
  }
  return {};
}

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
