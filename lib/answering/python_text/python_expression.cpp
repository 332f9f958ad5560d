#include "python_text/python_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "text/excerpt.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;
using Token = PythonToken::Kind;

// Graphs nest a few levels; every walk over an expression is recursive, so this bounds the stack.
constexpr std::uint32_t kMaxExpressionDepth = 200;

struct BinaryOperator {
  std::string_view sign;
  int binding;
};
constexpr int kUnaryBinding = 8;
constexpr std::array<BinaryOperator, 18> kBinary = {{
    {"==", 1}, {"!=", 1}, {"<", 1}, {">", 1}, {"<=", 1}, {">=", 1}, {"|", 2}, {"^", 3}, {"&", 4}, {"<<", 5}, {">>", 5},
    {"+", 6}, {"-", 6}, {"*", 7}, {"/", 7}, {"//", 7}, {"%", 7}, {"@", 7}}};

int binding_of(const PythonToken& token) {
  const auto* const found =
      std::find_if(kBinary.begin(), kBinary.end(), [&](const BinaryOperator& op) { return token.is(op.sign); });
  return found == kBinary.end() ? 0 : found->binding;
}

std::string describe(const PythonToken& token) {
  switch (token.kind) {
    case Token::End: return "the end of the text";
    case Token::LineEnd: return "the end of the line";
    case Token::String: return fmt::format("the string '{}'", token.text.substr(0, 40));
    case Token::Unknown:
      if (token.text.starts_with('"') || token.text.starts_with('\'')) return "a string that does not end";
      return fmt::format("'{}'", token.text.substr(0, 40));
    default: return fmt::format("'{}'", token.text.substr(0, 40));
  }
}

}  // namespace

void refuse_text(std::string_view file, TextPlace place, std::string message, std::string hint) {
  const std::string where = place.line == 0 ? "" : fmt::format(":{}:{}", place.line, place.column);
  throw TextFailure({std::string(file) + where, std::move(message), std::move(hint)}, place);
}

Failure TextFailure::with_excerpt(std::string_view text) const {
  std::vector<Diagnostic> mistakes = diagnostics();
  std::size_t line_begin = 0;
  for (std::size_t line = 1; line < place_.line; ++line) line_begin = text.find('\n', line_begin) + 1;
  if (place_.line > 0) mistakes.front().excerpt = excerpt(text, line_begin + place_.column - 1);
  return Failure(status(), std::move(mistakes));
}

void PythonReader::refuse(std::string_view what) const {
  refuse_text(file_, token_.place, fmt::format("expected {}, found {}", what, describe(token_)));
}

PythonToken PythonReader::take() {
  PythonToken taken = token_;
  token_ = lexer_.next();
  return taken;
}

bool PythonReader::take_if(std::string_view sign) {
  if (!token_.is(sign)) return false;
  take();
  return true;
}

bool PythonReader::take_if_name(std::string_view name) {
  if (!token_.is_name(name)) return false;
  take();
  return true;
}

PythonToken PythonReader::expect(Token kind, std::string_view what) {
  if (token_.kind != kind) refuse(what);
  return take();
}

void PythonReader::expect(std::string_view sign) {
  if (!take_if(sign)) refuse(fmt::format("'{}'", sign));
}

PythonExpression PythonReader::make(Kind kind, std::string text) const {
  PythonExpression made = make_python(kind, std::move(text));
  made.place = token_.place;
  return made;
}

PythonExpression PythonReader::make_and_take(Kind kind, std::string text) {
  PythonExpression made = make(kind, std::move(text));
  take();
  return made;
}

void PythonReader::grow(PythonExpression& parent, std::uint32_t height) const {
  parent.height = std::max(parent.height, height + 1);
  if (parent.height > kMaxExpressionDepth) {
    refuse_text(file_, parent.place, fmt::format("the expression nests deeper than {}", kMaxExpressionDepth),
                "no graph nests that deeply: is this the right file?");
  }
}

void PythonReader::add(PythonExpression& parent, PythonExpression child) const {
  grow(parent, child.height);
  parent.items.push_back(std::move(child));
}

PythonExpression PythonReader::read_expression() {
  if (++depth_ > kMaxExpressionDepth) refuse(fmt::format("an expression that nests at most {} deep", kMaxExpressionDepth));
  PythonExpression read = read_binary(1);
  --depth_;
  return read;
}

PythonExpression PythonReader::read_expression_list() {
  PythonExpression first = read_expression();
  if (!token_.is(",")) return first;
  PythonExpression tuple = make(Kind::Tuple);
  tuple.place = first.place;
  add(tuple, std::move(first));
  while (take_if(",")) {
    if (token_.kind == Token::LineEnd || token_.kind == Token::End || token_.is("=")) break;
    add(tuple, read_expression());
  }
  return tuple;
}

PythonExpression PythonReader::read_binary(int least_binding) {
  PythonExpression left = read_unary();
  for (int binding = binding_of(token_); binding >= least_binding; binding = binding_of(token_)) {
    PythonExpression both = make_and_take(Kind::Binary, std::string(token_.text));
    add(both, std::move(left));
    add(both, read_binary(binding + 1));
    left = std::move(both);
  }
  return left;
}

PythonExpression PythonReader::read_unary() {
  if (!token_.is("-") && !token_.is("+") && !token_.is("~")) {
    PythonExpression base = read_postfix();
    if (!token_.is("**")) return base;
    PythonExpression power = make_and_take(Kind::Binary, "**");
    add(power, std::move(base));
    if (++depth_ > kMaxExpressionDepth) refuse("fewer powers of powers");
    add(power, read_unary());
    --depth_;
    return power;
  }
  PythonExpression unary = make_and_take(Kind::Unary, std::string(token_.text));
  if (++depth_ > kMaxExpressionDepth) refuse("fewer signs in a row");
  add(unary, read_binary(kUnaryBinding));
  --depth_;
  return unary;
}

PythonExpression PythonReader::read_postfix() {
  PythonExpression read = read_atom();
  while (true) {
    if (token_.is(".") && read.is(Kind::Name)) {
      take();
      read.text += '.';
      read.text += expect(Token::Name, "a name after the '.'").text;
    } else if (token_.is(".") && (read.is(Kind::Call) || read.is(Kind::Subscript))) {
      take();
      PythonExpression attribute = make(Kind::Attribute, std::string(token_.text));
      attribute.place = read.place;
      expect(Token::Name, "a name after the '.'");
      add(attribute, std::move(read));
      read = std::move(attribute);
    } else if (token_.is("(")) {
      PythonExpression call = make(Kind::Call);
      call.place = read.place;
      add(call, std::move(read));
      read_call_arguments(call);
      read = std::move(call);
    } else if (token_.is("[")) {
      PythonExpression item = make(Kind::Subscript);
      item.place = read.place;
      take();
      add(item, std::move(read));
      add(item, read_index());
      expect("]");
      read = std::move(item);
    } else {
      return read;
    }
  }
}

PythonExpression PythonReader::read_index() {
  PythonExpression index = read_expression_list();
  if (!token_.is(":")) return index;
  PythonExpression slice = make_and_take(Kind::Slice);
  add(slice, std::move(index));
  add(slice, read_expression());
  return slice;
}

void PythonReader::read_call_arguments(PythonExpression& call) {
  expect("(");
  while (!take_if(")")) {
    PythonExpression argument = read_expression();
    if (token_.is("=") && argument.is(Kind::Name)) {
      take();
      PythonExpression value = read_expression();
      grow(call, value.height);
      call.keywords.push_back({std::move(argument.text), std::move(value)});
    } else if (!call.keywords.empty()) {
      refuse_text(file_, argument.place, "a positional argument after a keyword argument", "expected 'NAME = VALUE'");
    } else {
      add(call, std::move(argument));
    }
    if (!token_.is(")") && !take_if(",")) refuse("',' or ')'");
  }
}

PythonExpression PythonReader::read_atom() {
  switch (token_.kind) {
    case Token::Name: return make_and_take(Kind::Name, std::string(token_.text));
    case Token::Integer: return make_and_take(Kind::Integer, std::string(token_.text));
    case Token::Real: return make_and_take(Kind::Real, std::string(token_.text));
    case Token::Imaginary: return make_and_take(Kind::Imaginary, std::string(token_.text.substr(0, token_.text.size() - 1)));
    case Token::String: return read_strings();
    default: break;
  }
  if (token_.is("(")) return read_parenthesised();
  if (token_.is("{")) return read_dict();
  if (token_.is("<")) return read_object();
  if (token_.is("...")) return make_and_take(Kind::Ellipsis);
  if (!token_.is("[")) refuse("an expression");
  PythonExpression list = make_and_take(Kind::List);
  read_items("]", list);
  return list;
}

// A parenthesised expression, or a tuple: with a comma, or empty.
PythonExpression PythonReader::read_parenthesised() {
  PythonExpression tuple = make_and_take(Kind::Tuple);
  if (take_if(")")) return tuple;
  PythonExpression first = read_expression();
  if (take_if(")")) return first;
  add(tuple, std::move(first));
  if (!take_if(",")) refuse("',' or ')'");
  read_items(")", tuple);
  return tuple;
}

PythonExpression PythonReader::read_strings() {
  PythonExpression string = make(Kind::String);
  while (token_.kind == Token::String) string.text += resolve_python_escapes(take().text);
  return string;
}

PythonExpression PythonReader::read_dict() {
  PythonExpression dict = make_and_take(Kind::Dict);
  while (!take_if("}")) {
    add(dict, read_expression());
    expect(":");
    add(dict, read_expression());
    if (!token_.is("}") && !take_if(",")) refuse("',' or '}'");
  }
  return dict;
}

PythonExpression PythonReader::read_object() {
  PythonExpression object = make(Kind::Object, std::string(lexer_.take_angle_brackets()));
  if (object.text.empty()) refuse("an expression");
  take();
  return object;
}

void PythonReader::read_items(std::string_view closing, PythonExpression& into) {
  while (!take_if(closing)) {
    add(into, read_expression());
    if (!token_.is(closing) && !take_if(",")) refuse(fmt::format("',' or '{}'", closing));
  }
}

std::optional<std::size_t> position_of(const PythonExpression& index) {
  std::size_t position = 0;
  const auto read = std::from_chars(index.text.data(), index.text.data() + index.text.size(), position);
  return index.is(Kind::Integer) && read.ec == std::errc() ? std::optional(position) : std::nullopt;
}

PythonExpression parse_python(std::string_view text, std::string_view file, TextPlace place) {
  const std::vector<SourceLine> line = {{text, place}};
  PythonReader reader(file, line, 0, 1);
  PythonExpression read = reader.read_expression_list();
  if (reader.peek().kind == PythonToken::Kind::LineEnd) reader.take();
  if (reader.peek().kind != PythonToken::Kind::End) reader.refuse("the end of the expression");
  return read;
}

}  // namespace fxcut
