#include "report/xml_text.h"

namespace fxcut {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// U+FFFE and U+FFFF, which are no characters.
bool is_noncharacter(std::string_view text) {
  return text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF");
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else if (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') {
      escaped += kReplacement;
    } else if (is_noncharacter(text.substr(i))) {
      escaped += kReplacement;
      i += 2;
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace fxcut
