#include "json/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace fxcut {
namespace {

using Type = JsonValue::Type;

// Digits as a number; if too many, the largest number.
Int128 wide_integer(std::string_view digits) {
  constexpr Int128 kMax = std::numeric_limits<Int128>::max();
  Int128 value = 0;
  for (const char digit : digits) {
    if (value > (kMax - 9) / 10) return kMax;
    value = 10 * value + (digit - '0');
  }
  return value;
}

Int128 wide_real(double value) {
  constexpr double kMax = 1.7e38;
  return value >= kMax ? wide_integer(std::string(39, '9')) : static_cast<Int128>(value);
}

constexpr std::string_view kFigure = "a number of 0 or more";

}  // namespace

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

Int128 read_figure(const JsonValue& value, Mistakes& mistakes) {
  if (value.is(Type::Integer) && value.integer() >= 0) return value.integer();
  if (value.is(Type::BigInteger) && !value.text().starts_with('-')) return wide_integer(value.text());
  if (value.is(Type::Real) && value.real() >= 0) return wide_real(value.real());
  mistakes.add(value, fmt::format("expected {}", kFigure));
  return 0;
}

Members::Members(const JsonValue& object, Mistakes& mistakes)
    : object_(object), mistakes_(mistakes), is_object_(expect(object, Type::Object, "", mistakes)) {}

std::optional<JsonValue> Members::required(std::string_view key, std::string_view expected) const {
  if (!is_object_) return std::nullopt;
  const auto found = find(key);
  if (!found) mistakes_.add(object_, fmt::format("missing '{}', {}", key, expected));
  return found;
}

std::optional<JsonValue> Members::of_type(std::string_view key, Type type) const {
  const auto found = required(key, describe(type));
  return found && expect(*found, type, "", mistakes_) ? found : std::nullopt;
}

void Members::add_mistake(std::string_view key, std::string message, std::string hint) const {
  mistakes_.add(find(key).value_or(object_), std::move(message), std::move(hint));
}

std::string Members::text(std::string_view key) const {
  const auto found = of_type(key, Type::String);
  return found ? std::string(found->text()) : std::string();
}

std::int64_t Members::integer(std::string_view key) const {
  const auto found = of_type(key, Type::Integer);
  return found ? found->integer() : 0;
}

std::int64_t Members::count(std::string_view key) const {
  const std::int64_t value = integer(key);
  if (value >= 0) return value;
  add_mistake(key, fmt::format("expected 0 or more, found {}", value));
  return 0;
}

Int128 Members::figure(std::string_view key) const {
  const auto found = required(key, kFigure);
  return found ? read_figure(*found, mistakes_) : 0;
}

double Members::real(std::string_view key) const {
  const auto found = required(key, "a number");
  const auto value = found ? read_real(*found, "", mistakes_) : std::nullopt;
  if (!value || *value >= 0) return value.value_or(0);
  mistakes_.add(*found, fmt::format("expected 0 or more, found {}", *value));
  return 0;
}

bool Members::flag(std::string_view key) const {
  const auto found = of_type(key, Type::Bool);
  return found && found->boolean();
}

}  // namespace fxcut
