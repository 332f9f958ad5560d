#include "json/members.h"

#include <fmt/format.h>

#include <limits>

namespace fxcut {
namespace {

using Type = JsonValue::Type;

// Digits as a number; if too many, the largest number.
Wide wide_integer(std::string_view digits) {
  constexpr Wide kMost = std::numeric_limits<Wide>::max();
  Wide value = 0;
  for (const char digit : digits) {
    if (value > (kMost - 9) / 10) return kMost;
    value = 10 * value + (digit - '0');
  }
  return value;
}

Wide wide_real(double value) {
  constexpr double kMost = 1.7e38;
  return value >= kMost ? wide_integer(std::string(39, '9')) : static_cast<Wide>(value);
}

constexpr std::string_view kFigure = "a number of 0 or more";

}  // namespace

Wide read_figure(const JsonValue& value, Mistakes& mistakes) {
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

Wide Members::figure(std::string_view key) const {
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
