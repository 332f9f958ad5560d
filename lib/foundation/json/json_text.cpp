#include "json/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace fxcut {

using Json = nlohmann::ordered_json;

void JsonText::finish() {
  close('}');
  text_ += '\n';
  sink_(text_);
}

void JsonText::begin(std::string_view key) {
  next();
  append_text(key);
  text_ += ": ";
}

void JsonText::open(char bracket) {
  text_ += bracket;
  ++depth_;
  is_first_ = true;
}

void JsonText::close(char bracket) {
  --depth_;
  if (!is_first_) new_line();
  text_ += bracket;
  is_first_ = false;
}

void JsonText::next() {
  if (!std::exchange(is_first_, false)) text_ += ',';
  if (text_.size() >= kPieceBytes) {
    sink_(text_);
    text_.clear();
  }
  new_line();
}

void JsonText::new_line() {
  text_ += '\n';
  text_.append(depth_, ' ');
}

void JsonText::append_text(std::string_view text) {
  const auto is_plain = [](unsigned char c) { return c >= ' ' && c <= '\x7f' && c != '"' && c != '\\'; };
  if (!std::all_of(text.begin(), text.end(), is_plain)) return append_json(text);
  text_ += '"';
  text_ += text;
  text_ += '"';
}

void JsonText::append_integer(std::int64_t value) { text_ += std::string_view(fmt::format_int(value).c_str()); }

void JsonText::append_integer(std::uint64_t value) { text_ += std::string_view(fmt::format_int(value).c_str()); }

void JsonText::append_json(const Json& value) {
  if (value.is_number_unsigned()) return append_integer(value.get<std::uint64_t>());
  if (value.is_number_integer()) return append_integer(value.get<std::int64_t>());
  // Names come from files and may have any bytes.
  const std::string dumped = value.dump(1, ' ', false, Json::error_handler_t::replace);
  std::string_view rest = dumped;
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    text_ += rest.substr(0, end);
    new_line();
    rest.remove_prefix(end + 1);
  }
  text_ += rest;
}

}  // namespace fxcut
