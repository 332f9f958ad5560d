// The members of a JSON object, defined once for writing and for reading. A table is a function of a form, which is an
// ObjectWriter or an ObjectReader, and of the row with the members:
//
//     constexpr auto kState = [](auto& form, auto& state) {
//       form.value("name", state.name);
//       form.value("bytes", state.size_bytes);
//     };
//
// The members of a form, each for writing and for reading:
//
//     value          required, of the argument's type; an optional has a value
//     since_later    always written, but missing in files of older programs: then the row's value stays
//     derived        written, and not read
//     if_any         present unless the text or the optional is empty
//     word           one of `all`, by its name from word_for
//     shape          sizes, in the form of graph files
//     has            whether related members are present: by the argument, or by the key
//     object, list   a row, or a list of rows, with a table of their own; ..._if_any if there are any
#pragma once

#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"
#include "graph/symbol_hints.h"
#include "json/fields.h"
#include "json/json_forms.h"
#include "json/json_text.h"

namespace fxcut {

// A missing member or one of another type is a mistake, and the row's value is empty. Members that are in no table are
// ignored: a newer program may have written them.
class ObjectReader {
 public:
  ObjectReader(const JsonValue& json, Mistakes& mistakes) : members_(json, mistakes), mistakes_(mistakes) {}

  void value(std::string_view key, std::string& value) const { value = members_.text(key); }
  void value(std::string_view key, bool& value) const { value = members_.flag(key); }
  void value(std::string_view key, std::int64_t& value) const { value = members_.count(key); }
  void value(std::string_view key, std::size_t& value) const { value = members_.size(key); }
  void value(std::string_view key, Int128& value) const { value = members_.figure(key); }
  void value(std::string_view key, double& value) const { value = members_.real(key); }
  void value(std::string_view key, std::vector<std::string>& texts) const;
  void value(std::string_view key, std::map<std::string, std::size_t>& counts) const;
  void value(std::string_view key, SymbolHints& hints) const;
  template <typename Value>
  void value(std::string_view key, std::optional<Value>& given) const {
    value(key, given.emplace());
  }

  template <typename Value>
  void since_later(std::string_view key, Value& given) const {
    if (members_.find(key)) value(key, given);
  }
  void derived(std::string_view /*key*/, const auto& /*value*/) const {}
  void if_any(std::string_view key, auto& given) const { since_later(key, given); }
  template <typename Value>
  void word(std::string_view key, Value& value, const auto& all, const auto& word_for) const {
    std::vector<std::string_view> words;
    for (const Value& one : all) words.push_back(word_for(one));
    if (const auto found = position_of_word(key, words)) value = *(std::begin(all) + static_cast<std::ptrdiff_t>(*found));
  }
  void shape(std::string_view key, Sizes& sizes) const;

  bool has(std::string_view key, bool /*is_there*/) const { return members_.find(key).has_value(); }

  void object(std::string_view key, auto& row, const auto& members) const {
    if (const auto json = members_.object(key)) read(*json, row, members);
  }
  template <typename Row>
  void object_if_any(std::string_view key, std::optional<Row>& row, const auto& members) const {
    if (has(key, true)) object(key, row.emplace(), members);
  }
  void list(std::string_view key, auto& rows, const auto& members) const {
    const auto list = members_.array(key);
    if (!list) return;
    for (const JsonValue json : *list) read(json, rows.emplace_back(), members);
  }
  void list_if_any(std::string_view key, auto& rows, const auto& members) const {
    if (has(key, true)) list(key, rows, members);
  }

 protected:
  const Members members_;
  Mistakes& mistakes_;

 private:
  void read(const JsonValue& json, auto& row, const auto& members) const {
    ObjectReader form(json, mistakes_);
    members(form, row);
  }

  std::optional<std::size_t> position_of_word(std::string_view key, const std::vector<std::string_view>& words) const;
};

// The same table of an object's members, for writing.
class ObjectWriter {
 public:
  explicit ObjectWriter(JsonText& json) : json_(json) {}

  template <typename Value>
  void value(std::string_view key, const Value& value) {
    if constexpr (std::same_as<Value, Int128>) {
      json_.member(key, json_number(value));
    } else {
      json_.member(key, value);
    }
  }
  template <typename Value>
  void value(std::string_view key, const std::optional<Value>& given) {
    value(key, *given);
  }

  template <typename Value>
  void since_later(std::string_view key, const Value& given) {
    value(key, given);
  }
  template <typename Value>
  void derived(std::string_view key, const Value& given) {
    value(key, given);
  }
  void if_any(std::string_view key, const std::string& text) {
    if (!text.empty()) value(key, text);
  }
  template <typename Value>
  void if_any(std::string_view key, const std::optional<Value>& given) {
    if (given) value(key, *given);
  }
  template <typename Value>
  void word(std::string_view key, const Value& value, const auto& /*all*/, const auto& word_for) {
    json_.member(key, word_for(value));
  }
  void shape(std::string_view key, const Sizes& sizes) { json_.list(key, sizes, size_json); }

  bool has(std::string_view /*key*/, bool is_there) const { return is_there; }

  void object(std::string_view key, const auto& row, const auto& members) {
    json_.object(key, [&] { members(*this, row); });
  }
  template <typename Row>
  void object_if_any(std::string_view key, const std::optional<Row>& row, const auto& members) {
    if (row) object(key, *row, members);
  }
  void list(std::string_view key, const auto& rows, const auto& members) {
    json_.objects(key, rows, [&](const auto& row, JsonText&) { members(*this, row); });
  }
  void list_if_any(std::string_view key, const auto& rows, const auto& members) {
    if (!rows.empty()) list(key, rows, members);
  }

 protected:
  JsonText& json_;
};

}  // namespace fxcut
