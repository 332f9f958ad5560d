// Reads members of JSON values. Mistakes are added to a list and reading continues, so that one run reports several.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "graph/int128.h"
#include "json/document.h"

namespace fxcut {

// The most mistakes listed: a file with more is a wrong file.
inline constexpr std::size_t kMaxMistakes = 100;

// The mistakes found so far.
class Mistakes {
 public:
  void add(const JsonValue& at, std::string message, std::string hint = {}) { add(at, "", std::move(message), std::move(hint)); }
  // As above, with the name of its node.
  void add(const JsonValue& at, std::string_view node, std::string message, std::string hint);
  // The same for a member with a wrong key.
  void add_to_key(const JsonValue& member, std::string_view node, std::string message, std::string hint);
  // From now on mistakes are counted, not listed: in an incomplete document they have no place.
  void only_count() { only_counts_ = true; }
  bool empty() const { return found_.empty() && unlisted_ == 0; }
  // Whether one more would be listed; if not, a costly hint is not needed.
  bool has_room() const { return !only_counts_ && found_.size() < kMaxMistakes; }
  // Throws Failure with all of them, if any.
  void raise(ExitStatus status = ExitStatus::BadInput) const;

 private:
  bool counts_one_more();
  void list(Diagnostic mistake, std::string_view node);

  std::vector<Diagnostic> found_;
  std::size_t unlisted_ = 0;
  bool only_counts_ = false;
};

// "an integer", "a string", ...: the type for messages.
std::string_view describe(JsonValue::Type type);

// The member of that key; none if `object` is not an object or lacks it.
std::optional<JsonValue> member(const JsonValue& object, std::string_view key);

// The value as ...; if it is not, none, and a mistake with the name of `node`.
std::optional<std::int64_t> read_integer(const JsonValue& value, std::string_view node, Mistakes& mistakes);
std::optional<double> read_real(const JsonValue& value, std::string_view node, Mistakes& mistakes);
std::optional<bool> read_boolean(const JsonValue& value, std::string_view node, Mistakes& mistakes);
std::optional<std::string_view> read_string(const JsonValue& value, std::string_view node, Mistakes& mistakes);
// The strings of an array.
std::vector<std::string> read_strings(const JsonValue& list, Mistakes& mistakes);

// The value of the row with the JSON string as its name, in a table of names and values; if there is none, a mistake is
// added with the nearest name, or all. `what` describes the rows: "partitioner tag".
template <typename Rows>
auto read_word(const JsonValue& json, const Rows& rows, std::string_view what, std::string_view node, Mistakes& mistakes)
    -> std::optional<typename Rows::value_type::second_type> {
  const auto text = read_string(json, node, mistakes);
  if (!text) return std::nullopt;
  std::vector<std::string_view> known;
  for (const auto& [name, value] : rows) {
    if (name == *text) return value;
    known.push_back(name);
  }
  mistakes.add(json, node, "unknown " + std::string(what) + " '" + std::string(*text) + "'",
               mistakes.has_room() ? did_you_mean_or_known(*text, known) : "");
  return std::nullopt;
}

// Whether the value has that type; adds a mistake if not.
bool expect(const JsonValue& value, JsonValue::Type type, std::string_view node, Mistakes& mistakes);

// Adds a mistake unless the member "version" is this one.
void expect_version(const JsonValue& object, std::int64_t version, Mistakes& mistakes);

// Adds a mistake for each member of `object` whose key is not in `known`, with the nearest of them.
void expect_known(const JsonValue& object, const std::vector<std::string_view>& known, Mistakes& mistakes);

// A number of 0 or more, above 64 bits the nearest real one; if it is not one, 0 and a mistake.
Int128 read_figure(const JsonValue& value, Mistakes& mistakes);

// Required members of an object, by type: a missing member or one of another type is a mistake, and its value is empty.
class Members {
 public:
  // Adds a mistake if `object` is not an object.
  Members(const JsonValue& object, Mistakes& mistakes);

  std::string text(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  std::int64_t count(std::string_view key) const;  // 0 or more
  std::size_t size(std::string_view key) const { return static_cast<std::size_t>(count(key)); }
  Int128 figure(std::string_view key) const;  // 0 or more, above 64 bits the nearest real number
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
