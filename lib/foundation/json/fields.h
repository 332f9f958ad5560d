// Reading the members of JSON values with a verdict on each: what is wrong goes to a list, and reading goes on, so that
// one run reports several mistakes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "json/document.h"

namespace fxcut {

// A file with very many mistakes is a wrong file: more are not listed.
inline constexpr std::size_t kMostMistakes = 100;

// The mistakes found so far.
class Mistakes {
 public:
  void add(const JsonValue& at, std::string message, std::string hint = {}) { add(at, "", message, hint); }
  // As above, naming the node in which it is.
  void add(const JsonValue& at, std::string_view node, std::string message, std::string hint);
  // The same of a member whose key is wrong.
  void add_to_key(const JsonValue& member, std::string_view node, std::string message, std::string hint);
  // From now on mistakes are counted, not listed: in a document that is not whole they have no place.
  void only_count() { only_counts_ = true; }
  bool empty() const { return found_.empty() && beyond_ == 0; }
  // Whether one more would still be listed; if not, a costly hint need not be looked for.
  bool has_room() const { return !only_counts_ && found_.size() < kMostMistakes; }
  // Throws Failure with all of them where there are any.
  void raise(ExitStatus status = ExitStatus::BadInput) const;

 private:
  bool counts_one_more();
  void list(Diagnostic mistake, std::string_view node);

  std::vector<Diagnostic> found_;
  std::size_t beyond_ = 0;
  bool only_counts_ = false;
};

// "an integer", "a string", ...: what a value is, for messages.
std::string_view describe(JsonValue::Type type);

// The member of that key, or nothing where `object` is no object or lacks it.
std::optional<JsonValue> member(const JsonValue& object, std::string_view key);

// The value as ...; where it is not, a mistake is added and nothing returned. `node` is named in the message.
std::optional<std::int64_t> read_integer(const JsonValue& value, std::string_view node, Mistakes& mistakes);
std::optional<double> read_real(const JsonValue& value, std::string_view node, Mistakes& mistakes);
std::optional<bool> read_boolean(const JsonValue& value, std::string_view node, Mistakes& mistakes);
std::optional<std::string_view> read_string(const JsonValue& value, std::string_view node, Mistakes& mistakes);
// The strings of an array.
std::vector<std::string> read_strings(const JsonValue& list, Mistakes& mistakes);

// The value of the row whose name the JSON string is, in a table of names and values; where there is none, a mistake is added
// that names the nearest, or all. `what` is what the table has: "partitioner tag".
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

// Whether it is one; adds a mistake where not.
bool expect(const JsonValue& value, JsonValue::Type type, std::string_view node, Mistakes& mistakes);

// Adds a mistake where the member "version" is not this one.
void expect_version(const JsonValue& object, std::int64_t version, Mistakes& mistakes);

// Adds a mistake for each member of `object` whose key is none of `known`, with the nearest of them.
void expect_known(const JsonValue& object, const std::vector<std::string_view>& known, Mistakes& mistakes);

}  // namespace fxcut
