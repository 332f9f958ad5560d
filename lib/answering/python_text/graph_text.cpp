#include "python_text/graph_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;
using Token = PythonToken::Kind;

// Nested graphs nest a few levels; each level is a call of read_graph_text.
constexpr std::size_t kMaxGraphDepth = 50;

// Comments after the items of a list, by line.
using TrailingComments = std::unordered_map<std::size_t, std::string>;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = text.find_last_not_of(" \r");
  return begin == text.size() ? std::string_view() : text.substr(begin, end + 1 - begin);
}

class ClassReader {
 public:
  ClassReader(PythonReader& reader, std::string_view file) : reader_(reader), file_(file) {}

  GraphText read(std::size_t depth) {
    const TextPlace begin = reader_.peek().place;
    if (depth > kMaxGraphDepth) {
      refuse_text(file_, begin, fmt::format("graphs nest deeper than {}", kMaxGraphDepth));
    }
    if (!reader_.take_if_name("class")) reader_.refuse("'class'");
    graph_.name = read_class_name();
    reader_.expect("(");
    reader_.read_expression();
    reader_.expect(")");
    reader_.expect(":");
    reader_.expect(Token::LineEnd, "the end of the line");
    if (!reader_.take_if_name("def")) reader_.refuse("'def forward'");
    reader_.expect(Token::Name, "the name of the method");
    read_signature();
    read_body();
    for (TextStatement& parameter : parameters_) {
      if (const auto found = trailing_.find(parameter.place.line); found != trailing_.end()) {
        parameter.description = found->second;
      }
    }
    graph_.statements.insert(graph_.statements.begin(), std::make_move_iterator(parameters_.begin()),
                             std::make_move_iterator(parameters_.end()));
    describe_outputs();
    while (reader_.peek().is_name("class") && reader_.peek().place.column > begin.column) {
      graph_.nested.push_back(ClassReader(reader_, file_).read(depth + 1));
    }
    return std::move(graph_);
  }

 private:
  // PyTorch prints `<lambda>` for a module that it makes of a function without a name.
  std::string read_class_name() {
    const bool is_nameless = reader_.take_if("<");
    std::string name(reader_.expect(Token::Name, "the name of the class").text);
    if (is_nameless) reader_.expect(">");
    return name;
  }

  void read_signature() {
    reader_.expect("(");
    while (!reader_.take_if(")")) {
      read_parameter();
      if (!reader_.peek().is(")") && !reader_.take_if(",")) reader_.refuse("',' or ')'");
    }
    if (reader_.take_if("->")) reader_.read_expression();
    reader_.expect(":");
    reader_.expect(Token::LineEnd, "the end of the line");
  }

  void read_parameter() {
    while (reader_.take_if("*") || reader_.take_if("**")) {
    }
    const PythonToken name = reader_.expect(Token::Name, "the name of a parameter");
    std::optional<TextAnnotation> annotation = read_annotation();
    if (reader_.take_if("=")) reader_.read_expression();
    if (name.text == "self") return;
    TextStatement& added = parameter(std::string(name.text));
    added.annotation = std::move(annotation);
    added.place = name.place;
  }

  void read_body() {
    while (!has_returned_) {
      read_comments();
      if (reader_.peek().kind == Token::End || reader_.peek().is_name("class")) reader_.refuse("'return'");
      read_statement();
    }
    read_comments();
  }

  void read_statement() {
    if (reader_.take_if(";") || reader_.peek().kind == Token::LineEnd) {
      if (reader_.peek().kind == Token::LineEnd) reader_.take();
      return;
    }
    if (reader_.take_if_name("pass")) return end_statement();
    if (reader_.take_if_name("return")) return read_return();
    const PythonExpression target = reader_.read_expression_list();
    if (!target.is(Kind::Name) && !target.is(Kind::Tuple)) {
      refuse_text(file_, target.place, "expected a statement such as 'NAME = torch.ops.aten.mm.default(...)'");
    }
    read_assignment(target);
  }

  void read_assignment(const PythonExpression& target) {
    TextStatement statement;
    statement.name = target.text;
    statement.place = target.place;
    statement.annotation = read_annotation();
    statement.comment = comment_;
    if (!reader_.peek().is("=")) {
      if (!statement.annotation) reader_.refuse("'='");
      TextStatement& announced = parameter(statement.name);  // a leaf of the tree that is flattened below
      announced.annotation = std::move(statement.annotation);
      announced.place = statement.place;
      return end_statement();
    }
    while (reader_.take_if("=")) statement.value = reader_.read_expression_list();
    const bool deletes = statement.value.is_name("None");
    const bool calls = statement.value.is(Kind::Call);
    if (calls && statement.value.items[0].is_name("fx_pytree.tree_flatten_spec")) {
      bind_parameters(target);
    } else if (target.is(Kind::Tuple)) {
      refuse_text(file_, target.place, "expected one name before the '='");
    } else if (statement.value.is(Kind::Name) && parameter_index_.contains(statement.value.text)) {
      parameters_[parameter_index_.at(statement.value.text)].name = statement.name;  // "arg0 = arg0_1": another name
    } else if (!deletes) {
      graph_.statements.push_back(std::move(statement));
    }
    end_statement();
  }

  void read_return() {
    graph_.returned_at = reader_.peek().place;
    PythonExpression value = reader_.read_expression_list();
    const bool is_tree = value.is(Kind::Call) && value.items[0].is_name("pytree.tree_unflatten") && value.items.size() > 1;
    graph_.returned = is_tree ? std::move(value.items[1]) : std::move(value);
    has_returned_ = true;
    if (reader_.peek().kind == Token::LineEnd) reader_.take();
  }

  // "a, b, = fx_pytree.tree_flatten_spec(...)": these are the inputs in order, not the parameters of the signature.
  void bind_parameters(const PythonExpression& names) {
    std::vector<TextStatement> announced = std::move(parameters_);
    const auto index = std::move(parameter_index_);
    parameters_.clear();
    parameter_index_.clear();
    const auto bind = [&](const PythonExpression& name) {
      if (!name.is(Kind::Name)) refuse_text(file_, name.place, "expected a name");
      TextStatement& bound = parameter(name.text);
      bound.place = name.place;
      if (const auto known = index.find(name.text); known != index.end()) bound = announced[known->second];
    };
    if (names.is(Kind::Tuple)) {
      for (const PythonExpression& name : names.items) bind(name);
    } else {
      bind(names);
    }
  }

  std::optional<TextAnnotation> read_annotation() {
    if (!reader_.take_if(":")) return std::nullopt;
    const TextPlace place = reader_.peek().place;
    const PythonExpression type = reader_.read_expression();
    if (!type.is(Kind::String)) return std::nullopt;  // a Python type, such as Tensor
    return TextAnnotation{type.text, {place.line, place.column + 1}};
  }

  void end_statement() {
    if (reader_.take_if(";") || reader_.peek().kind == Token::End) return;
    reader_.expect(Token::LineEnd, "';' or the end of the line");
  }

  // Comments on lines of their own describe the nodes below; others describe the item before them.
  void read_comments() {
    for (const PythonComment& comment : reader_.take_comments()) {
      if (!comment.is_whole_line) {
        trailing_.insert_or_assign(comment.place.line, std::string(trimmed(comment.text)));
      } else if (auto read = read_node_comment(comment, file_)) {
        comment_ = std::make_shared<const NodeComment>(std::move(*read));
      }
    }
  }

  void describe_outputs() {
    const std::vector<PythonExpression>& items = graph_.returned.items;
    const bool has_descriptions = std::ranges::any_of(items, [&](const PythonExpression& item) {
      return trailing_.contains(item.place.line) && item.place.line > graph_.returned_at.line;
    });
    if (!has_descriptions) return;
    for (const PythonExpression& item : items) {
      const auto found = trailing_.find(item.place.line);
      graph_.output_descriptions.push_back(found == trailing_.end() ? "" : found->second);
    }
  }

  // The parameter of that name, added if it is missing.
  TextStatement& parameter(const std::string& name) {
    const auto [entry, is_new] = parameter_index_.emplace(name, parameters_.size());
    if (is_new) {
      TextStatement& added = parameters_.emplace_back();
      added.name = name;
      added.is_parameter = true;
      added.value.text = name;
    }
    return parameters_[entry->second];
  }

  PythonReader& reader_;
  std::string_view file_;
  GraphText graph_;
  std::vector<TextStatement> parameters_;
  std::unordered_map<std::string, std::size_t> parameter_index_;
  std::shared_ptr<const NodeComment> comment_;
  TrailingComments trailing_;
  bool has_returned_ = false;
};

}  // namespace

GraphText read_graph_text(PythonReader& reader, std::string_view file) { return ClassReader(reader, file).read(0); }

}  // namespace fxcut
