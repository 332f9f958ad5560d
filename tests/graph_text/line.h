// A line of the notation, read from left to right.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut::notation {

inline bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

// Functions remove what they take, and the spaces after it. They throw InternalError if something else stands there.
class Line {
 public:
  explicit Line(std::string_view text) : line_(text), rest_(text) { skip_spaces(); }

  bool empty() const { return rest_.empty(); }
  bool at(char c) const { return rest_.starts_with(c); }
  bool take(char c) {
    if (!at(c)) return false;
    rest_.remove_prefix(1);
    skip_spaces();
    return true;
  }
  void expect(char c) {
    if (!take(c)) throw InternalError(fmt::format("expected '{}' before '{}' in the line: {}", c, rest_, line_));
  }
  template <typename Belongs>
  std::string_view take_while(const Belongs& belongs) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), belongs);
    const std::string_view taken(rest_.begin(), end);
    rest_.remove_prefix(taken.size());
    skip_spaces();
    return taken;
  }
  std::string_view word() { return take_while(is_word_character); }
  std::string_view until_space() {
    return take_while([](char c) { return c != ' '; });
  }
  // The text in parentheses, which may nest.
  std::string_view in_parentheses() {
    expect('(');
    int depth = 1;
    const std::string_view inside = take_while([&](char c) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      return depth > 0;
    });
    expect(')');
    return inside;
  }
  std::string string_literal() {
    std::size_t end = 1;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2u : 1u;
    std::string literal(rest_.substr(0, end + 1));
    rest_.remove_prefix(literal.size());
    skip_spaces();
    return literal;
  }
  // ITEM, ITEM, .. up to `close`.
  template <typename Read>
  std::vector<std::string> items(char close, const Read& read) {
    std::vector<std::string> all;
    while (!take(close)) {
      all.push_back(read());
      if (!at(close)) expect(',');
    }
    return all;
  }

 private:
  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  std::string_view line_;
  std::string_view rest_;
};

}  // namespace fxcut::notation
