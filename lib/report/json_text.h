// A JSON object as text, written a member and a row at a time, and passed on piece by piece: of many rows, one tree or one
// text of all would take more time and memory than the rest of the program. The form is that of json_file.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "write/text_sink.h"

namespace fxcut {

class JsonText {
 public:
  explicit JsonText(const TextSink& sink) : sink_(sink), text_("{") {}

  void member(std::string_view key, const nlohmann::ordered_json& value);

  // The member is an array of what `show` makes of each row.
  template <typename Rows, typename Show>
  void list(std::string_view key, const Rows& rows, const Show& show) {
    begin(key);
    text_ += '[';
    ++depth_;
    is_first_ = true;
    for (const auto& row : rows) {
      next();
      append(show(row));
    }
    --depth_;
    if (!is_first_) new_line();
    text_ += ']';
    is_first_ = false;
  }

  // The member is an object, of which the members up to `close` are.
  void open(std::string_view key);
  void close();

  // The end, when all is closed: a newline behind it.
  void finish();

 private:
  void begin(std::string_view key);
  void next();
  void new_line();
  void append(const nlohmann::ordered_json& value);

  const TextSink& sink_;
  std::string text_;  // what is not passed on yet
  std::size_t depth_ = 1;
  bool is_first_ = true;  // of its object or array
};

}  // namespace fxcut
