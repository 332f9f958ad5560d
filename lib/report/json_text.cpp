#include "report/json_text.h"

#include <utility>

namespace fxcut {

using Json = nlohmann::ordered_json;

void JsonText::member(std::string_view key, const Json& value) {
  begin(key);
  append(value);
}

void JsonText::open(std::string_view key) {
  begin(key);
  text_ += '{';
  ++depth_;
  is_first_ = true;
}

void JsonText::close() {
  --depth_;
  if (!is_first_) new_line();
  text_ += '}';
  is_first_ = false;
}

void JsonText::finish() {
  close();
  text_ += '\n';
  sink_(text_);
}

void JsonText::begin(std::string_view key) {
  next();
  append(key);
  text_ += ": ";
}

void JsonText::next() {
  if (!std::exchange(is_first_, false)) text_ += ',';
  new_line();
}

void JsonText::new_line() {
  text_ += '\n';
  text_.append(depth_, ' ');
}

void JsonText::append(const Json& value) {
  // Names come from files and may hold any bytes.
  const std::string dumped = value.dump(1, ' ', false, Json::error_handler_t::replace);
  std::string_view rest = dumped;
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    text_ += rest.substr(0, end);
    new_line();
    rest.remove_prefix(end + 1);
  }
  text_ += rest;
  if (text_.size() < kPieceBytes) return;
  sink_(text_);
  text_.clear();
}

}  // namespace fxcut
