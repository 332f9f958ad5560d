// The tokens of Python as torch.fx prints it, one at a time, each with its place. The text is a list of lines, because a log
// has a prefix on each and other messages between them. A line end is a token if no bracket is open; comments are collected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

// A place in the imported file; both count from 1, and are 0 without lines.
struct TextPlace {
  std::size_t line = 0;
  std::size_t column = 0;
};

// A piece of a line of the file.
struct SourceLine {
  std::string_view text;
  TextPlace begin;
};

struct PythonToken {
  enum class Kind : std::uint8_t { Name, Integer, Real, Imaginary, String, Sign, LineEnd, End, Unknown };

  Kind kind = Kind::End;
  std::string_view text;  // as written; of a string without quotes, escapes not resolved
  TextPlace place;

  bool is(std::string_view sign) const { return kind == Kind::Sign && text == sign; }
  bool is_name(std::string_view name) const { return kind == Kind::Name && text == name; }
};

// "# File: model.py:8 in forward"
struct PythonComment {
  std::string_view text;  // after the #
  TextPlace place;
  bool is_whole_line = false;  // nothing before it in its line
};

class PythonLexer {
 public:
  // Reads lines `begin` to `end` (excluded), which must outlive the lexer.
  PythonLexer(const std::vector<SourceLine>& lines, std::size_t begin, std::size_t end)
      : lines_(lines), line_(begin), end_(end) {}

  PythonToken next();

  // After a '<', the text to the closing '>', as in "<object at 0x7f>". Empty if it is not in this line.
  std::string_view take_angle_brackets();

  // The comments since the last call.
  std::vector<PythonComment> take_comments() { return std::move(comments_); }

 private:
  std::string_view rest() const { return lines_[line_].text.substr(column_); }
  TextPlace place() const { return {lines_[line_].begin.line, lines_[line_].begin.column + column_}; }
  PythonToken take(PythonToken::Kind kind, std::size_t length);
  PythonToken take_string();
  PythonToken take_number();
  PythonToken take_sign();

  const std::vector<SourceLine>& lines_;
  std::size_t line_, end_;
  std::size_t column_ = 0;
  std::size_t open_brackets_ = 0;
  bool line_has_token_ = false;
  std::vector<PythonComment> comments_;
};

// The text of a string's token with each escape (\n, \', \x41, \u0041, ...) replaced by its character, in UTF-8; unknown
// escapes stay as they are.
std::string resolve_python_escapes(std::string_view text);

}  // namespace fxcut
