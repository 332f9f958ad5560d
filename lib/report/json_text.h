// A JSON object as text, written a member and a row at a time: of many rows, one tree of all would take more time and
// memory than the rest of the program. The form is that of nlohmann's dump with an indentation of 1.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace fxcut {

class JsonText {
 public:
  JsonText() : text_("{") {}

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

  // The whole, when all is closed.
  std::string take();

 private:
  void begin(std::string_view key);
  void next();
  void new_line();
  void append(const nlohmann::ordered_json& value);

  std::string text_;
  std::size_t depth_ = 1;
  bool is_first_ = true;  // of its object or array
};

}  // namespace fxcut
