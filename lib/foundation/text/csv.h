// Comma-separated values (RFC 4180, but lines end in newlines).
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

// The text as one field: in quotes if it contains a comma, a quote or a line's end. With an apostrophe before it if a
// spreadsheet would run it as a formula (it begins with =, +, -, @, a tab or a carriage return), and printable
// (text/printable.h). Not for numbers, which may begin with a sign.
std::string csv_field(std::string_view text);

}  // namespace fxcut
