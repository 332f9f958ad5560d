// The words of Python as torch.fx prints it, one at a time, each with its place. The text is given as lines, because a
// log puts a prefix before each and other messages between them. Line ends count where no bracket is open; comments are
// set aside for whoever wants them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

// Where something stands in the imported file; both count from 1, and are 0 of what has no lines.
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
  std::string_view text;  // as written; of a string without its quotes, escapes not yet resolved
  TextPlace place;

  bool is(std::string_view sign) const { return kind == Kind::Sign && text == sign; }
  bool is_name(std::string_view name) const { return kind == Kind::Name && text == name; }
};

// "# File: model.py:8 in forward"
struct PythonComment {
  std::string_view text;  // behind the #
  TextPlace place;
  bool stands_alone = false;  // nothing before it in its line
};

class PythonLexer {
 public:
  // The lines must outlive the lexer. `begin` is the index of the first to read.
  PythonLexer(const std::vector<SourceLine>& lines, std::size_t begin, std::size_t end)
      : lines_(lines), line_(begin), end_(end) {}

  PythonToken next();

  // Reads on, behind a '<', up to the '>' that closes it, as in "<object at 0x7f>". Empty where none does in this line.
  std::string_view take_angle_brackets();

  // The comments passed since the last call.
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

}  // namespace fxcut
