// Comma-separated values (RFC 4180, but lines end in newlines).
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

// The text as one field: in quotes where it holds a comma, a quote or the end of a line. With an apostrophe before it
// where a spreadsheet would run it as a formula (it begins with =, +, -, @, a tab or a carriage return), and printable
// (text/printable.h). Not for numbers, which may begin with a sign.
std::string csv_field(std::string_view text);

}  // namespace fxcut
