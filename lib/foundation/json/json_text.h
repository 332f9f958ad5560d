// A JSON object as text, written one member and one row at a time, and passed on in pieces: with many rows, a tree or a text of
// the whole would take more time and memory than the rest of the program. The form is that of json_file.
//
// Plain text and integers, the most frequent values of a report, are written directly, everything else by nlohmann-json.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <type_traits>

#include "text/text_sink.h"

namespace fxcut {

class JsonText {
 public:
  explicit JsonText(const TextSink& sink) : sink_(sink), text_("{") {}

  // `value`: text, a number, true or false, or nlohmann's JSON.
  template <typename Value>
  void member(std::string_view key, const Value& value) {
    begin(key);
    append(value);
  }

  // The member is an array of `show` of each row, which returns a value as for `member`.
  template <typename Rows, typename Show>
  void list(std::string_view key, const Rows& rows, const Show& show) {
    array(key, rows, [&](const auto& row) { append(show(row)); });
  }

  // The member is an array of objects, one a row, whose members `write` adds.
  template <typename Rows, typename Write>
  void objects(std::string_view key, const Rows& rows, const Write& write) {
    array(key, rows, [&](const auto& row) {
      open('{');
      write(row, *this);
      close('}');
    });
  }

  // The member is an object, whose members `write` adds.
  template <typename Write>
  void object(std::string_view key, const Write& write) {
    begin(key);
    open('{');
    write();
    close('}');
  }

  // Ends the object, with a newline.
  void finish();

 private:
  // `write` appends a row.
  template <typename Rows, typename Write>
  void array(std::string_view key, const Rows& rows, const Write& write) {
    begin(key);
    open('[');
    for (const auto& row : rows) {
      next();
      write(row);
    }
    close(']');
  }

  void begin(std::string_view key);
  void open(char bracket);
  void close(char bracket);
  void next();
  void new_line();

  template <typename Value>
  void append(const Value& value) {
    constexpr bool is_json = std::is_same_v<Value, nlohmann::ordered_json>;
    if constexpr (!is_json && std::is_convertible_v<const Value&, std::string_view>) {
      append_text(value);
    } else if constexpr (std::is_integral_v<Value> && !std::is_same_v<Value, bool>) {
      append_integer(static_cast<std::conditional_t<std::is_signed_v<Value>, std::int64_t, std::uint64_t>>(value));
    } else {
      append_json(value);
    }
  }
  void append_text(std::string_view text);
  void append_integer(std::int64_t value);
  void append_integer(std::uint64_t value);
  void append_json(const nlohmann::ordered_json& value);

  const TextSink& sink_;
  std::string text_;  // not passed on yet
  std::size_t depth_ = 1;
  bool is_first_ = true;  // of its object or array
};

}  // namespace fxcut
