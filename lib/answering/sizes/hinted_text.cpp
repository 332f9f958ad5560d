#include "sizes/hinted_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "json/fields.h"
#include "python_text/python_expression.h"
#include "python_text/symbolic_sizes.h"

namespace fxcut {
namespace {

using Type = JsonValue::Type;

std::optional<std::int64_t> integer_in(const JsonValue& object, std::string_view key) {
  const std::optional<JsonValue> number = member(object, key);
  return number && number->is(Type::Integer) ? std::optional(number->integer()) : std::nullopt;
}

// A symbolic size, or the value of a node that is an integer.
struct SymbolicSize {
  std::string expression;
  std::optional<std::int64_t> hint;
  bool is_value = false;
};

std::optional<SymbolicSize> size_in(const JsonValue& value) {
  if (!value.is(Type::Object)) return std::nullopt;
  const auto expression = member(value, "expr"), kind = member(value, "kind");
  if (!expression || !expression->is(Type::String)) return std::nullopt;
  if (kind && !(kind->is(Type::String) && kind->text() == "symint")) return std::nullopt;
  return SymbolicSize{std::string(expression->text()), integer_in(value, "hint"), kind.has_value()};
}

// The numbers of the symbols, and the sizes that follow from them.
class Numbers {
 public:
  Numbers(const Document& document, const SymbolHints& given) : place_(document.file_name()), given_(given) {
    if (const auto symbols = member(document.root(), "symbols"); symbols && symbols->is(Type::Object)) {
      for (const JsonValue symbol : *symbols) note(std::string(symbol.key()), integer_in(symbol, "hint"));
    }
    note_sizes(document.root());
    refuse_unknown();
    for (const auto& [symbol, number] : given) {
      const auto known = numbers_.find(symbol);
      changes_ = changes_ || known == numbers_.end() || known->second != number;
      numbers_.insert_or_assign(symbol, number);
    }
  }

  bool changes() const { return changes_; }

  std::optional<std::int64_t> given(std::string_view symbol) const {
    const auto found = given_.find(symbol);
    return found == given_.end() ? std::nullopt : std::optional(found->second);
  }

  // The size at these numbers; nullopt if it depends on none of the given symbols.
  std::optional<std::int64_t> number_of(const SymbolicSize& size) {
    const auto [found, is_new] = sizes_.try_emplace(size.expression);
    if (is_new) found->second = evaluate(size.expression);
    if (found->second && *found->second < 0 && !size.is_value) refuse(size.expression, "is negative");
    return found->second;
  }

 private:
  void note(const std::string& symbol, std::optional<std::int64_t> number) {
    symbols_.insert(symbol);
    if (number) numbers_.try_emplace(symbol, *number);
  }

  // A size may have a number where its symbol has none.
  void note_sizes(const JsonValue& value) {
    if (const auto size = size_in(value)) return note_size(*size);
    if (!value.is(Type::Object) && !value.is(Type::Array)) return;
    for (const JsonValue child : value) note_sizes(child);
  }

  void note_size(const SymbolicSize& size) {
    if (!sizes_.try_emplace(size.expression).second) return;
    const PythonExpression read = parse_python(size.expression, place_, {1, 1});
    std::set<std::string> symbols;
    collect_symbols(read, symbols);
    for (const std::string& symbol : symbols) note(symbol, read.is_name(symbol) ? size.hint : std::nullopt);
  }

  void refuse_unknown() {
    sizes_.clear();
    const std::vector<std::string_view> known(symbols_.begin(), symbols_.end());
    for (const auto& [symbol, number] : given_) {
      if (symbols_.contains(symbol)) continue;
      throw Failure(ExitStatus::Usage, {{place_, fmt::format("--hints {}={}: the graph has no such symbol", symbol, number),
                                         known.empty() ? "it has no symbolic sizes" : did_you_mean_or_known(symbol, known)}});
    }
  }

  std::optional<std::int64_t> evaluate(const std::string& text) const {
    const PythonExpression expression = parse_python(text, place_, {1, 1});
    std::set<std::string> symbols;
    collect_symbols(expression, symbols);
    const bool depends = std::ranges::any_of(symbols, [&](const std::string& one) { return given_.contains(one); });
    if (!depends) return std::nullopt;
    const std::optional<std::int64_t> number = evaluate_size(expression, numbers_);
    if (!number) refuse(text, "is no integer, or fxcut cannot compute it");
    return number;
  }

  [[noreturn]] void refuse(const std::string& size, std::string_view why) const {
    throw Failure(ExitStatus::Usage, {{place_, fmt::format("--hints: at {} the size '{}' {}", show_hints(given_), size, why),
                                       "choose numbers at which the model could run"}});
  }

  const std::string& place_;
  const SymbolHints& given_;
  std::set<std::string> symbols_;  // of the graph
  SymbolHints numbers_;
  std::unordered_map<std::string, std::optional<std::int64_t>> sizes_;  // by expression
  bool changes_ = false;
};

class HintedText {
 public:
  HintedText(const Document& document, Numbers& numbers) : document_(document), numbers_(numbers) {}

  std::string run() {
    append_object(document_.root(), Members::OfRoot);
    return std::move(out_);
  }

 private:
  enum class Members { Any, OfRoot, OfSymbols, OfMeta };

  void append(const JsonValue& value, Members members = Members::Any) {
    if (value.is(Type::Array)) return append_array(value);
    if (!value.is(Type::Object)) return document_.append(value.ticket(), out_);
    const auto size = size_in(value);
    size ? append_with_hint(value, numbers_.number_of(*size)) : append_object(value, members);
  }

  void append_array(const JsonValue& array) {
    out_ += '[';
    bool is_first = true;
    for (const JsonValue item : array) {
      if (!std::exchange(is_first, false)) out_ += ',';
      append(item);
    }
    out_ += ']';
  }

  void append_object(const JsonValue& object, Members members) {
    out_ += '{';
    bool is_first = true;
    for (const JsonValue member : object) {
      const std::string_view key = member.key();
      if (members == Members::OfMeta && key == "runtime_ms" && numbers_.changes()) continue;
      append_key(key, is_first);
      if (members == Members::OfSymbols && member.is(Type::Object)) {
        append_with_hint(member, numbers_.given(key));
      } else {
        append(member, members == Members::OfRoot && key == "symbols" ? Members::OfSymbols
                       : key == "meta"                                ? Members::OfMeta
                                                                      : Members::Any);
      }
    }
    out_ += '}';
  }

  // The same object; with another hint, if one is given.
  void append_with_hint(const JsonValue& object, std::optional<std::int64_t> hint) {
    if (!hint) return document_.append(object.ticket(), out_);
    out_ += '{';
    bool is_first = true;
    for (const JsonValue member : object) {
      if (member.key() == "hint") continue;
      append_key(member.key(), is_first);
      document_.append(member.ticket(), out_);
    }
    append_key("hint", is_first);
    out_ += std::to_string(*hint) + "}";
  }

  void append_key(std::string_view key, bool& is_first) {
    if (!std::exchange(is_first, false)) out_ += ',';
    append_json_string(key, out_);
    out_ += ':';
  }

  const Document& document_;
  Numbers& numbers_;
  std::string out_;
};

}  // namespace

std::string hinted_text(const Document& document, const SymbolHints& hints) {
  Numbers numbers(document, hints);
  return HintedText(document, numbers).run();
}

}  // namespace fxcut
