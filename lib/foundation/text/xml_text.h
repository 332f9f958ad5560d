// Text within XML.
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

// The text with XML's own characters escaped, for content and for attributes in double quotes. What XML cannot hold
// (most control characters, bytes that are no UTF-8) becomes U+FFFD, and what a reader would not see is printable
// (text/printable.h), but for ends of lines and tabs.
std::string xml_text(std::string_view text);

}  // namespace fxcut
