#include "compiled/graph_facts.h"

#include <fmt/format.h>

#include "diagnostic/diagnostic.h"
#include "python_text/annotation.h"
#include "python_text/graph_text.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

std::optional<Tensor> tensor_of(const TextStatement& statement, AnnotationReader& annotations) {
  if (!statement.annotation) return std::nullopt;
  const Value value = annotations.read(statement.annotation->text, statement.annotation->place);
  return value.is_tensor() ? std::optional(value.tensor) : std::nullopt;
}

GraphValue value_of(const TextStatement& statement, AnnotationReader& annotations) {
  GraphValue value;
  value.node = statement.name;
  value.tensor = tensor_of(statement, annotations);
  if (statement.comment && !statement.comment->source_file.empty()) {
    value.source = fmt::format("{}:{}", statement.comment->source_file, statement.comment->source_line);
  }
  if (statement.value.is(Kind::Call) && statement.value.items[0].is(Kind::Name)) value.target = statement.value.items[0].text;
  return value;
}

}  // namespace

GraphFacts::GraphFacts(const std::vector<SourceLine>& lines, std::string_view file, const SymbolHints& hints) {
  if (lines.empty()) return;
  try {
    PythonReader reader(file, lines, 0, lines.size());
    AnnotationReader annotations(file, hints);
    for (const TextStatement& statement : read_graph_text(reader, file).statements) {
      GraphValue value = value_of(statement, annotations);
      if (statement.value.is(Kind::Subscript) && statement.value.items[0].is(Kind::Name)) {
        if (const GraphValue* call = find(statement.value.items[0].text)) value.target = call->target;
        value.item = position_of(statement.value.items[1]);
      }
      index_.insert_or_assign(value.node, values_.size());
      values_.push_back(std::move(value));
    }
  } catch (const Failure& failure) {
    const Diagnostic& first = failure.diagnostics().front();
    why_not_ = fmt::format("its graph cannot be read: {}: {}", first.place, first.message);
  }
}

const GraphValue* GraphFacts::find(std::string_view node) const {
  const auto found = index_.find(node);
  return found == index_.end() ? nullptr : &values_[found->second];
}

std::vector<const GraphValue*> GraphFacts::results_of(std::string_view target, std::optional<std::size_t> item) const {
  std::vector<const GraphValue*> results;
  for (const GraphValue& value : values_) {
    if (!target.empty() && value.target == target && value.item == item) results.push_back(&value);
  }
  return results;
}

}  // namespace fxcut
