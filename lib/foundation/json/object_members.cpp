#include "json/object_members.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace fxcut {
namespace {

using Type = JsonValue::Type;

Size read_size(const JsonValue& json, Mistakes& mistakes) {
  if (!json.is(Type::Object)) return {read_integer(json, "", mistakes).value_or(0), nullptr};
  const ObjectReader size(json, mistakes);
  Expression expression;
  std::int64_t hint = 0;
  size.value("expr", expression.text);
  size.value("symbols", expression.symbols);
  size.value("hint", hint);
  return {hint, std::make_shared<const Expression>(std::move(expression))};
}

}  // namespace

void ObjectReader::value(std::string_view key, std::vector<std::string>& texts) const {
  if (const auto list = members_.array(key)) texts = read_strings(*list, mistakes_);
}

void ObjectReader::value(std::string_view key, std::map<std::string, std::size_t>& counts) const {
  const auto object = members_.object(key);
  if (!object) return;
  for (const JsonValue count : *object) {
    counts.emplace(count.key(), static_cast<std::size_t>(read_integer(count, "", mistakes_).value_or(0)));
  }
}

void ObjectReader::value(std::string_view key, SymbolHints& hints) const {
  const auto object = members_.object(key);
  if (!object) return;
  for (const JsonValue hint : *object) {
    hints.insert_or_assign(std::string(hint.key()), read_integer(hint, "", mistakes_).value_or(0));
  }
}

void ObjectReader::shape(std::string_view key, Sizes& sizes) const {
  const auto list = members_.array(key);
  if (!list) return;
  std::vector<Size> read;
  for (const JsonValue size : *list) read.push_back(read_size(size, mistakes_));
  sizes = std::move(read);
}

std::optional<std::size_t> ObjectReader::position_of_word(std::string_view key,
                                                          const std::vector<std::string_view>& words) const {
  const std::string word = members_.text(key);
  const auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  if (!word.empty()) {
    const std::vector<std::string_view> others(words.begin(), words.end() - 1);
    members_.add_mistake(key, fmt::format("expected {} or {}, found '{}'", fmt::join(others, ", "), words.back(), word));
  }
  return std::nullopt;
}

}  // namespace fxcut
