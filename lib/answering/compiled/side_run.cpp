#include "compiled/side_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

using Kind = PythonExpression::Kind;

// Functions call functions a few levels deep, and tuples hold tuples.
constexpr std::size_t kMaxCallDepth = 50, kMaxItemDepth = 50;
// A wrapper has some hundred statements a layer; functions that call each other endlessly exceed this.
constexpr std::size_t kMaxMoments = 5'000'000;

}  // namespace

std::vector<Object> SideRun::run(std::vector<Object> inputs) {
  Object args = items_object(std::move(inputs));
  const Object returned = call_function("call", std::move(args));
  std::vector<Object> outputs;
  if (returned.items) {
    for (const auto& [position, object] : returned.items->by_position) outputs.push_back(object);
  }
  return outputs;
}

Object SideRun::call_function(const std::string& name, Object args) {
  const auto found = side_.wrapper.functions.find(name);
  if (found == side_.wrapper.functions.end() || frames_.size() >= kMaxCallDepth) {
    note(fmt::format("not understood: a call of {}, {}", name, frames_.empty() ? "which is not here" : "nested too deep"));
    return {};
  }
  const WrapperStatement* const caller = statement_;
  frames_.push_back({&found->second, {}});
  names()["args"] = std::move(args);
  Object returned;
  for (const WrapperStatement& statement : found->second.statements) {
    begin(statement);
    if (statement.kind == WrapperStatement::Kind::Return) {
      returned = evaluate(statement.value);
      break;
    }
    run(statement);
  }
  frames_.pop_back();  // frees the objects with no other owner
  if (caller) statement_ = caller;
  return returned;
}

void SideRun::begin(const WrapperStatement& statement) {
  if (ledger_.moments.size() >= kMaxMoments) {
    throw Failure(ExitStatus::BadInput, fmt::format("the code runs more than {} statements", kMaxMoments),
                  "functions of the wrapper call each other without end; is it what inductor wrote?");
  }
  ledger_.moments.push_back({side_.code.side, statement.line, statement.text});
  statement_ = &statement;
}

void SideRun::run(const WrapperStatement& statement) {
  switch (statement.kind) {
    case WrapperStatement::Kind::Assignment: return assign(statement.target, evaluate(statement.value));
    case WrapperStatement::Kind::Deletion: return forget(statement.target);
    case WrapperStatement::Kind::Expression: return run_alone(statement.value);
    case WrapperStatement::Kind::Return: return;
  }
}

void SideRun::run_alone(const PythonExpression& value) {
  if (!value.is(Kind::Call) || !value.items[0].is(Kind::Name)) return static_cast<void>(evaluate(value));
  const std::string& callee = value.items[0].text;
  const bool has_meaning = form_of(callee) != nullptr || side_.wrapper.functions.contains(callee);
  if (has_meaning) return static_cast<void>(evaluate(value));
  if (is_operator(callee)) record_call(value);
  if (use_arguments(value) && !is_operator(callee) && !is_kernel(callee) && !side_.wrapper.signatures.contains(callee)) {
    note(fmt::format("not known: whether {} keeps what it takes: counted as if it did not", callee));
  }
}

void SideRun::assign(const PythonExpression& target, Object object) {
  if (target.is(Kind::Name)) {
    if (object.memory) add_name(object.memory->block(), target.text);
    if (object.kind == Object::Kind::Number) numbers_.insert_or_assign(target.text, object.number);
    names()[target.text] = std::move(object);
  } else if (target.is(Kind::Tuple) || target.is(Kind::List)) {
    for (std::size_t i = 0; i < target.items.size(); ++i) assign(target.items[i], item_of(object, i));
  } else {
    note("not understood: what is assigned to; it keeps nothing here");
  }
}

void SideRun::add_name(MemoryBlock& block, const std::string& name) {
  if (std::find(block.names.begin(), block.names.end(), name) == block.names.end()) block.names.push_back(name);
  if (name.starts_with("workspace_") && block.kind == BlockKind::Buffer) block.kind = BlockKind::Workspace;
}

void SideRun::forget(const PythonExpression& target) {
  if (!target.is(Kind::Tuple)) return forget_name(target.text);
  for (const PythonExpression& name : target.items) forget_name(name.text);
}

void SideRun::forget_name(const std::string& name) {
  if (names().erase(name) == 0) note(fmt::format("not understood: {} goes, and is not there", name));
}

Object SideRun::evaluate(const PythonExpression& expression) {
  switch (expression.kind) {
    case Kind::Name: return value_of_name(expression);
    case Kind::Integer:
    case Kind::Unary:
    case Kind::Binary: return evaluate_number(expression);
    case Kind::Tuple:
    case Kind::List: return evaluate_items(expression);
    case Kind::Subscript: return evaluate_item(expression);
    case Kind::Call: return evaluate_call(expression);
    default: return other();
  }
}

Object SideRun::other() {
  Object object;
  object.kind = Object::Kind::Other;
  return object;
}

Object SideRun::value_of_name(const PythonExpression& expression) {
  if (const auto found = names().find(expression.text); found != names().end()) return found->second;
  if (expression.text == "None") return {};
  if (const auto number = numbers_.find(expression.text); number != numbers_.end()) return number_object(number->second);
  return other();
}

Object SideRun::evaluate_number(const PythonExpression& expression) {
  const auto number = size_of(expression);
  return number ? number_object(*number) : other();
}

std::optional<std::int64_t> SideRun::size_of(const PythonExpression& expression) {
  std::set<std::string> symbols;
  collect_symbols(expression, symbols);
  for (const std::string& symbol : symbols) {
    if (numbers_.contains(symbol) || !unknown_symbols_.insert(symbol).second) continue;
    note(fmt::format("not known: {}, a size; it counts {}, unless --hints {}=N says otherwise", symbol, kUnhintedSize, symbol));
  }
  return evaluate_size(expression, numbers_);
}

std::optional<Extents> SideRun::sizes_of(const PythonExpression* tuple) {
  if (tuple == nullptr || !(tuple->is(Kind::Tuple) || tuple->is(Kind::List))) return std::nullopt;
  Extents sizes;
  for (const PythonExpression& item : tuple->items) {
    const auto size = size_of(item);
    if (!size) return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

Object SideRun::evaluate_items(const PythonExpression& expression) {
  std::vector<Object> objects;
  for (const PythonExpression& item : expression.items) objects.push_back(evaluate(item));
  Object made = items_object(std::move(objects));
  if (made.items->depth <= kMaxItemDepth) return made;
  note("not understood: tuples within tuples, too many");
  return other();
}

Object SideRun::evaluate_item(const PythonExpression& subscript) {
  const Object whole = evaluate(subscript.items[0]);
  if (const auto position = position_of(subscript.items[1])) return item_of(whole, *position);
  if (subscript.items[1].is(Kind::Slice)) return slice_of(whole, subscript.items[1]);
  note("not understood: which item is taken");
  return other();
}

Object SideRun::item_of(const Object& whole, std::size_t position) {
  if (!whole.items) {
    if (whole.kind != Object::Kind::Other) note("not understood: an item of what has none");
    return other();
  }
  const auto found = whole.items->by_position.find(position);
  if (found != whole.items->by_position.end()) return found->second;
  if (whole.items->target.empty()) {
    note(fmt::format("not understood: item {} of what has {}", position, whole.items->by_position.size()));
    return other();
  }
  Object made = make_result(whole.items->target, position, whole.items->made_at);
  whole.items->by_position.emplace(position, made);
  return made;
}

void SideRun::note(std::string text) {
  const std::size_t line = statement_ ? statement_->line : 0;
  if (statement_ && text.starts_with("not understood")) text += fmt::format(": {}", statement_->text);
  notes_.push_back({line, std::move(text)});
}

std::vector<Object> run_side(const SideCode& side, std::vector<Object> inputs, Ledger& ledger, std::vector<CodeNote>& notes) {
  return SideRun(side, ledger, notes).run(std::move(inputs));
}

}  // namespace fxcut
