// Text within XML.
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

// The text with XML's own characters escaped, for content and for attributes in double quotes. Characters that XML does
// not allow (most controls, bytes that are not UTF-8) become U+FFFD, and others that a reader would not see are escaped
// (text/printable.h), except line ends and tabs.
std::string xml_text(std::string_view text);

}  // namespace fxcut
