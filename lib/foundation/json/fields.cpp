#include "json/fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace fxcut {

void Mistakes::add(const JsonValue& at, std::string_view node, std::string message, std::string hint) {
  if (counts_one_more()) list(at.mistake(std::move(message), std::move(hint)), node);
}

void Mistakes::add_to_key(const JsonValue& member, std::string_view node, std::string message, std::string hint) {
  if (counts_one_more()) list(member.mistake_in_key(std::move(message), std::move(hint)), node);
}

void Mistakes::list(Diagnostic mistake, std::string_view node) {
  if (!node.empty()) mistake.place += fmt::format(" (node '{}')", node);
  found_.push_back(std::move(mistake));
}

bool Mistakes::counts_one_more() {
  if (has_room()) return true;
  ++unlisted_;
  return false;
}

void Mistakes::raise(ExitStatus status) const {
  if (found_.empty()) return;
  std::vector<Diagnostic> all = found_;
  if (unlisted_ > 0) all.push_back({"", fmt::format("and {} more mistakes", unlisted_), ""});
  throw Failure(status, std::move(all));
}

std::string_view describe(JsonValue::Type type) {
  switch (type) {
    case JsonValue::Type::Null: return "null";
    case JsonValue::Type::Bool: return "a boolean";
    case JsonValue::Type::Integer: return "an integer";
    case JsonValue::Type::BigInteger: return "an integer of more than 64 bits";
    case JsonValue::Type::Real: return "a real number";
    case JsonValue::Type::String: return "a string";
    case JsonValue::Type::Array: return "an array";
    case JsonValue::Type::Object: return "an object";
  }
  return "";
}

std::optional<JsonValue> member(const JsonValue& object, std::string_view key) {
  if (!object.is(JsonValue::Type::Object)) return std::nullopt;
  for (const JsonValue child : object) {
    if (child.key() == key) return child;
  }
  return std::nullopt;
}

bool expect(const JsonValue& value, JsonValue::Type type, std::string_view node, Mistakes& mistakes) {
  if (value.is(type)) return true;
  mistakes.add(value, node, fmt::format("expected {}, found {}", describe(type), describe(value.type())), "");
  return false;
}

std::optional<std::int64_t> read_integer(const JsonValue& value, std::string_view node, Mistakes& mistakes) {
  return expect(value, JsonValue::Type::Integer, node, mistakes) ? std::optional(value.integer()) : std::nullopt;
}

std::optional<double> read_real(const JsonValue& value, std::string_view node, Mistakes& mistakes) {
  const bool is_number = value.is(JsonValue::Type::Integer) || expect(value, JsonValue::Type::Real, node, mistakes);
  return is_number ? std::optional(value.real()) : std::nullopt;
}

std::optional<bool> read_boolean(const JsonValue& value, std::string_view node, Mistakes& mistakes) {
  return expect(value, JsonValue::Type::Bool, node, mistakes) ? std::optional(value.boolean()) : std::nullopt;
}

std::optional<std::string_view> read_string(const JsonValue& value, std::string_view node, Mistakes& mistakes) {
  return expect(value, JsonValue::Type::String, node, mistakes) ? std::optional(value.text()) : std::nullopt;
}

std::vector<std::string> read_strings(const JsonValue& list, Mistakes& mistakes) {
  std::vector<std::string> strings;
  if (!expect(list, JsonValue::Type::Array, "", mistakes)) return strings;
  for (const JsonValue item : list) {
    if (const auto text = read_string(item, "", mistakes)) strings.emplace_back(*text);
  }
  return strings;
}

void expect_version(const JsonValue& object, std::int64_t version, Mistakes& mistakes) {
  const auto given = member(object, "version");
  if (given && given->is(JsonValue::Type::Integer) && given->integer() == version) return;
  mistakes.add(given.value_or(object), fmt::format("expected \"version\": {}", version),
               "this fxcut reads only that version");
}

void expect_known(const JsonValue& object, const std::vector<std::string_view>& known, Mistakes& mistakes) {
  for (const JsonValue field : object) {
    if (std::find(known.begin(), known.end(), field.key()) != known.end()) continue;
    mistakes.add_to_key(field, "", fmt::format("unknown member '{}'", field.key()),
                        did_you_mean_or_known(field.key(), known));
  }
}

}  // namespace fxcut
