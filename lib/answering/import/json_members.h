// Small JSON objects as text.
#pragma once

#include <string>
#include <string_view>

#include "json/document.h"

namespace fxcut {

// The text as a JSON string.
inline std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(text, out);
  return out;
}

// Joins members of an object, each with its key.
class JsonMembers {
 public:
  void add(std::string_view key, const std::string& json) {
    if (!text_.empty()) text_ += ',';
    append_json_string(key, text_);
    (text_ += ':') += json;
  }
  void add_text(std::string_view key, std::string_view text) {
    if (!text.empty()) add(key, json_string(text));
  }
  bool empty() const { return text_.empty(); }
  std::string object() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

}  // namespace fxcut
