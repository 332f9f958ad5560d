// Text within XML.
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

// The text with XML's own characters escaped, for content and for attributes in double quotes. What XML cannot hold
// (control characters) becomes U+FFFD. The text is UTF-8.
std::string xml_text(std::string_view text);

}  // namespace fxcut
