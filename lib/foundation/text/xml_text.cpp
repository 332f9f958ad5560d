#include "text/xml_text.h"

#include <algorithm>
#include <array>

#include "text/characters.h"
#include "text/printable.h"

namespace fxcut {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kSpace = "\t\n\r";

constexpr std::array<std::pair<char, std::string_view>, 4> kMarkup = {
    {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}}};

// XML 1.0, production 2: Char.
bool is_in_xml(std::uint32_t code) { return code >= 0x20 && code != 0xfffe && code != 0xffff && code != kNoCharacter; }

std::string shown(std::uint32_t code, std::string_view bytes) {
  const auto markup =
      std::find_if(kMarkup.begin(), kMarkup.end(), [&](const auto& row) { return row.first == bytes.front(); });
  if (markup != kMarkup.end()) return std::string(markup->second);
  if (kSpace.find(bytes.front()) != std::string_view::npos) return std::string(bytes);
  return is_in_xml(code) ? printable(bytes) : std::string(kReplacement);
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const auto [code, bytes] = first_character(text);
    escaped += shown(code, text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return escaped;
}

}  // namespace fxcut
