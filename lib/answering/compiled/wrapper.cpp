#include "compiled/wrapper.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;
using Token = PythonToken::Kind;

constexpr std::string_view kNodes = " Source Nodes: [", kAten = "Original ATen: [";

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = text.find_last_not_of(" \t\r");
  return begin == text.size() ? std::string_view() : text.substr(begin, end + 1 - begin);
}

std::size_t indentation_of(std::string_view text) { return std::min(text.find_first_not_of(" \t"), text.size()); }

std::string in_brackets(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = text.substr(at + key.size());
  return std::string(rest.substr(0, rest.find(']')));
}

class StatementReader {
 public:
  StatementReader(const std::vector<SourceLine>& lines, std::size_t begin, std::size_t end, std::string_view file,
                  std::vector<CodeNote>& notes)
      : reader_(file, lines, begin, end), lines_(lines), notes_(notes) {}

  std::vector<WrapperStatement> read() {
    while (reader_.peek().kind != Token::End) {
      read_comments();
      read_one();
    }
    return std::move(statements_);
  }

 private:
  void read_comments() {
    for (const PythonComment& comment : reader_.take_comments()) {
      if (!comment.is_whole_line || comment.text.find(kNodes) == std::string_view::npos) continue;
      comment_ = std::make_shared<const KernelComment>(
          KernelComment{in_brackets(comment.text, kNodes), in_brackets(comment.text, kAten)});
    }
  }

  void read_one() {
    const PythonToken first = reader_.peek();
    try {
      if (first.kind == Token::LineEnd || reader_.take_if(";")) {
        if (first.kind == Token::LineEnd) reader_.take();
        return;
      }
      if (first.is_name("with")) return skip_line();  // the block runs once, like code without it
      if (first.is_name("pass") || first.is_name("assert") || first.is_name("global")) return skip_line();
      if (begins_unknown_block(first)) return skip_block(first);
      read_statement(first);
      if (reader_.take_if(";") || reader_.peek().kind == Token::End) return;
      reader_.expect(Token::LineEnd, "';' or the end of the line");
    } catch (const Failure& failure) {
      note(first, failure.diagnostics().front().message);
      skip_line();
    }
  }

  void read_statement(const PythonToken& first) {
    WrapperStatement statement;
    statement.line = first.place.line;
    statement.text = line_text(first.place.line);
    if (reader_.take_if_name("del")) {
      statement.kind = WrapperStatement::Kind::Deletion;
      statement.target = reader_.read_expression_list();
    } else if (reader_.take_if_name("return")) {
      statement.kind = WrapperStatement::Kind::Return;
      if (!is_at_end_of_line()) statement.value = reader_.read_expression_list();
    } else {
      statement.value = reader_.read_expression_list();
      if (reader_.take_if("=")) {
        statement.kind = WrapperStatement::Kind::Assignment;
        statement.target = std::move(statement.value);
        statement.value = reader_.read_expression_list();
      }
      if (runs_something(statement.value)) statement.comment = std::exchange(comment_, nullptr);
    }
    statements_.push_back(std::move(statement));
  }

  // Whether a comment above may describe it: other statements may be between the comment and the kernel's call.
  static bool runs_something(const PythonExpression& value) {
    constexpr std::array<std::string_view, 5> kOthers = {"empty_strided", "assert_", "get_raw_stream", "reinterpret_tensor",
                                                         "args."};
    const auto begins_callee = [&](std::string_view word) { return value.items[0].text.starts_with(word); };
    return value.is(Kind::Call) && std::ranges::none_of(kOthers, begins_callee);
  }

  static bool begins_unknown_block(const PythonToken& token) {
    constexpr std::array<std::string_view, 10> kWords = {"if",  "elif",   "else",    "for", "while",
                                                         "try", "except", "finally", "def", "class"};
    return std::ranges::any_of(kWords, [&](std::string_view word) { return token.is_name(word); });
  }

  bool is_at_end_of_line() const { return reader_.peek().kind == Token::LineEnd || reader_.peek().kind == Token::End; }

  void skip_line() {
    while (!is_at_end_of_line()) reader_.take();
    if (reader_.peek().kind == Token::LineEnd) reader_.take();
  }

  void skip_block(const PythonToken& first) {
    note(first, "what stands in a block of its own may run, or not, or often: it counts nothing");
    skip_line();
    while (reader_.peek().kind != Token::End && reader_.peek().place.column > first.place.column) skip_line();
  }

  void note(const PythonToken& at, std::string_view why) {
    notes_.push_back({at.place.line, fmt::format("not understood: {} ({})", line_text(at.place.line), why)});
  }

  // The lines of a log are sorted, but may have gaps.
  std::string_view line_text(std::size_t line) const {
    const auto is_before = [](const SourceLine& a, std::size_t b) { return a.begin.line < b; };
    const auto found = std::lower_bound(lines_.begin(), lines_.end(), line, is_before);
    return found == lines_.end() ? std::string_view() : without_blanks(found->text);
  }

  PythonReader reader_;
  const std::vector<SourceLine>& lines_;
  std::vector<CodeNote>& notes_;
  std::shared_ptr<const KernelComment> comment_;
  std::vector<WrapperStatement> statements_;
};

// The name in "def NAME(args):", "def NAME(self, args):" or "def get_args():"; empty for other lines.
std::string_view function_of_args(std::string_view line) {
  line = without_blanks(line);
  if (!line.starts_with("def ")) return {};
  const std::size_t open = std::min(line.find('('), line.size());
  const std::string_view name = line.substr(4, open - 4), rest = line.substr(open);
  const bool is_of_args = rest == "(args):" || rest == "(self, args):" || (name == "get_args" && rest == "():");
  return is_of_args ? name : std::string_view();
}

// The line after the function that begins there.
std::size_t end_of_function(const std::vector<SourceLine>& lines, std::size_t begin) {
  const std::size_t indentation = indentation_of(lines[begin].text);
  std::size_t end = begin + 1;
  while (end < lines.size()) {
    const std::string_view text = lines[end].text;
    if (!without_blanks(text).empty() && indentation_of(text) <= indentation) break;
    ++end;
  }
  return end;
}

bool unpacks_args(const WrapperStatement& statement) {
  return statement.kind == WrapperStatement::Kind::Assignment && statement.value.is_name("args");
}

void find_items(const PythonExpression& expression, std::set<std::string>& with_items) {
  const bool takes_item = expression.is(Kind::Subscript) && !expression.items[1].is(Kind::Slice);
  if (takes_item && expression.items[0].is(Kind::Name)) with_items.insert(expression.items[0].text);
  for (const PythonExpression& item : expression.items) find_items(item, with_items);
  for (const PythonKeyword& keyword : expression.keywords) find_items(keyword.value, with_items);
}

WrapperFunction make_function(std::vector<WrapperStatement> statements) {
  WrapperFunction function;
  function.statements = std::move(statements);
  for (const WrapperStatement& statement : function.statements) {
    find_items(statement.value, function.with_items);
    if (!unpacks_args(statement)) continue;
    if (statement.target.is(Kind::Name)) function.inputs.push_back(statement.target.text);
    for (const PythonExpression& name : statement.target.items) function.inputs.push_back(name.text);
  }
  return function;
}

// Inductor's code always returns something, if only "()".
void refuse_if_cut_off(const WrapperFunction& call, const CompiledCode& code) {
  const auto returns = [](const WrapperStatement& one) { return one.kind == WrapperStatement::Kind::Return; };
  if (std::ranges::any_of(call.statements, returns)) return;
  const std::size_t line = call.statements.empty() ? code.lines.front().begin.line : call.statements.back().line;
  refuse_text(code.file, {line, 1}, "the code is cut off: expected 'return' after this line of 'call'",
              "expected the whole Python wrapper of inductor, as it wrote it");
}

}  // namespace

WrapperCode read_wrapper(const CompiledCode& code) {
  WrapperCode wrapper;
  const std::vector<SourceLine>& lines = code.lines;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string name(function_of_args(lines[i].text));
    if (name.empty()) continue;
    const std::size_t end = end_of_function(lines, i);
    std::vector<CodeNote> ignored;  // imports in get_args()
    auto statements = StatementReader(lines, i + 1, end, code.file, name == "get_args" ? ignored : wrapper.notes).read();
    if (name == "get_args") {
      for (WrapperStatement& statement : statements) {
        if (statement.kind == WrapperStatement::Kind::Assignment && statement.target.is(Kind::Name)) {
          wrapper.example_inputs.insert_or_assign(statement.target.text, std::move(statement.value));
        }
      }
    } else {
      wrapper.functions.insert_or_assign(name, make_function(std::move(statements)));
    }
    i = end - 1;
  }
  if (!wrapper.functions.contains("call")) {
    const std::size_t line = lines.empty() ? 1 : lines.front().begin.line;
    refuse_text(code.file, {line, 1}, "the code has no 'def call(args)'",
                "expected the whole Python wrapper of inductor, as it wrote it");
  }
  refuse_if_cut_off(wrapper.functions.at("call"), code);
  wrapper.signatures = read_kernel_signatures(lines);
  return wrapper;
}

}  // namespace fxcut
