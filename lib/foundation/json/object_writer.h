// A table of an object's members, for writing: see object_reader.h, which uses the same tables.
#pragma once

#include <concepts>
#include <optional>
#include <string_view>

#include "graph/graph.h"
#include "json/json_forms.h"
#include "json/json_number.h"
#include "json/json_text.h"

namespace fxcut {

class ObjectWriter {
 public:
  explicit ObjectWriter(JsonText& json) : json_(json) {}

  template <typename Value>
  void value(std::string_view key, const Value& value) {
    if constexpr (std::same_as<Value, Wide>) {
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
