#include "html/template.h"

#include <nlohmann/json.hpp>

#include "text/escaping.h"
#include "text/palette.h"
#include "text/printable.h"

namespace fxcut {
namespace {

void make_printable(nlohmann::ordered_json& json) {
  if (json.is_string()) json = printable(json.get_ref<const std::string&>());
  if (!json.is_structured()) return;
  for (nlohmann::ordered_json& item : json) make_printable(item);
}

}  // namespace

// In JSON "<" occurs only in strings, where it can be escaped.
std::string data_text(nlohmann::ordered_json data) {
  make_printable(data);
  std::string text;
  for (const char c : data.dump()) c == '<' ? text += "\\u003c" : text += c;
  return text;
}

std::string filled_in(std::string_view page, const std::string& title, std::string_view data) {
  std::string text;
  const auto fill_in = [&](std::string_view mark, std::string_view content) {
    const std::size_t at = page.find(mark);
    text += page.substr(0, at);
    text += content;
    page.remove_prefix(at + mark.size());
  };
  fill_in(kTitleMark, xml_text(title));
  fill_in(kPaletteMark, palette_css());
  fill_in(kDataMark, data);
  return text += page;
}

}  // namespace fxcut
