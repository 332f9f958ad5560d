// Required members of an object, by type: a missing member or one of another type is a mistake, and its value is empty.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "graph/wide.h"
#include "json/fields.h"

namespace fxcut {

// A number of 0 or more, above 64 bits the nearest real one; if it is not one, 0 and a mistake.
Wide read_figure(const JsonValue& value, Mistakes& mistakes);

class Members {
 public:
  // Adds a mistake if `object` is not an object.
  Members(const JsonValue& object, Mistakes& mistakes);

  std::string text(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  std::int64_t count(std::string_view key) const;  // 0 or more
  std::size_t size(std::string_view key) const { return static_cast<std::size_t>(count(key)); }
  Wide figure(std::string_view key) const;  // 0 or more, above 64 bits the nearest real number
  double real(std::string_view key) const;  // 0 or more
  bool flag(std::string_view key) const;

  std::optional<JsonValue> object(std::string_view key) const { return of_type(key, JsonValue::Type::Object); }
  std::optional<JsonValue> array(std::string_view key) const { return of_type(key, JsonValue::Type::Array); }

  // The member, of any type; none, and a mistake with `expected`, if it is missing.
  std::optional<JsonValue> required(std::string_view key, std::string_view expected) const;
  // The same for an optional member.
  std::optional<JsonValue> find(std::string_view key) const { return member(object_, key); }
  // An optional text, empty if missing.
  std::string text_if_any(std::string_view key) const { return find(key) ? text(key) : std::string(); }

  void add_mistake(std::string_view key, std::string message, std::string hint = {}) const;

 private:
  std::optional<JsonValue> of_type(std::string_view key, JsonValue::Type type) const;

  JsonValue object_;
  Mistakes& mistakes_;
  bool is_object_;
};

}  // namespace fxcut
