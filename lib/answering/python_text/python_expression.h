// Python expressions as torch.fx and sympy print them: calls, items, tuples, operators on symbolic sizes. A recursive descent
// parser; each mistake has its line and column and the expected text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "python_text/python_lexer.h"

namespace fxcut {

struct PythonKeyword;

struct PythonExpression {
  enum class Kind : std::uint8_t {
    Name,       // text: dotted, "torch.ops.aten.mm.default"
    Integer,    // text: decimal digits
    Real,       // text
    Imaginary,  // text: without its j
    String,     // text, escapes resolved
    Ellipsis,
    List,       // items
    Tuple,      // items
    Dict,       // items: key, value, key, value, ...
    Call,       // items: the callee, then the positional arguments; keywords
    Subscript,  // items: the value, the index
    Slice,      // items: the bounds, as in "x[a : b]"
    Attribute,  // text: its name; items: the object, a call or an item (after a name it is part of the name)
    Unary,      // text: the sign; items
    Binary,     // text: the sign; items: left, right
    Object,     // text: between < and >
  };

  Kind kind = Kind::Name;
  std::string text;
  std::vector<PythonExpression> items;
  std::vector<PythonKeyword> keywords;
  TextPlace place;
  std::uint32_t height = 1;  // of the tree

  bool is(Kind other) const { return kind == other; }
  bool is_name(std::string_view name) const { return kind == Kind::Name && text == name; }
};

// "dim=1" of a call.
struct PythonKeyword {
  std::string name;
  PythonExpression value;
};

// An expression that is built, not read.
inline PythonExpression make_python(PythonExpression::Kind kind, std::string text, std::vector<PythonExpression> items = {}) {
  PythonExpression made;
  made.kind = kind;
  made.text = std::move(text);
  made.items = std::move(items);
  return made;
}
inline PythonExpression python_name(std::string name) {
  return make_python(PythonExpression::Kind::Name, std::move(name));
}

// Reads a text token by token, with one token of lookahead.
class PythonReader {
 public:
  PythonReader(std::string_view file, const std::vector<SourceLine>& lines, std::size_t begin, std::size_t end)
      : file_(file), lexer_(lines, begin, end), token_(lexer_.next()) {}

  const PythonToken& peek() const { return token_; }
  PythonToken take();
  bool take_if(std::string_view sign);
  bool take_if_name(std::string_view name);
  // Throws Failure (BadInput) that `what` was expected, if the next token is another.
  PythonToken expect(PythonToken::Kind kind, std::string_view what);
  void expect(std::string_view sign);

  // Throws Failure (BadInput) if the next tokens are not an expression, or one that nests deeper than in any graph.
  PythonExpression read_expression();
  // The same for "a, b": a tuple without parentheses.
  PythonExpression read_expression_list();

  std::vector<PythonComment> take_comments() { return lexer_.take_comments(); }

  // Throws Failure (BadInput): `what` was expected at the next token.
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  PythonExpression read_binary(int least_binding);
  PythonExpression read_unary();
  PythonExpression read_postfix();
  PythonExpression read_index();
  PythonExpression read_atom();
  PythonExpression read_parenthesised();
  PythonExpression read_strings();
  PythonExpression read_dict();
  PythonExpression read_object();
  void read_items(std::string_view closing, PythonExpression& into);
  void read_call_arguments(PythonExpression& call);
  PythonExpression make(PythonExpression::Kind kind, std::string text = {}) const;
  PythonExpression make_and_take(PythonExpression::Kind kind, std::string text = {});
  void add(PythonExpression& parent, PythonExpression child) const;
  void grow(PythonExpression& parent, std::uint32_t height) const;

  std::string_view file_;
  PythonLexer lexer_;
  PythonToken token_;
  std::uint32_t depth_ = 0;
};

// The number of an item, as in "x[1]"; nothing for other expressions.
std::optional<std::size_t> position_of(const PythonExpression& index);

// An expression of its own, such as "2*s77", which begins at `place` in `file`.
PythonExpression parse_python(std::string_view text, std::string_view file, TextPlace place);

// A mistake at a place of the imported text (BadInput).
class TextFailure : public Failure {
 public:
  TextFailure(Diagnostic mistake, TextPlace place) : Failure(ExitStatus::BadInput, {std::move(mistake)}), place_(place) {}

  // The same with the line of the text. `text`: the whole imported text.
  Failure with_excerpt(std::string_view text) const;

 private:
  TextPlace place_;
};

// Throws TextFailure about that place of the file.
[[noreturn]] void refuse_text(std::string_view file, TextPlace place, std::string message, std::string hint = {});

}  // namespace fxcut
