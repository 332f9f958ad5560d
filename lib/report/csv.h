// Comma-separated values (RFC 4180, but lines end in newlines).
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

// The text as one field: in quotes where it holds a comma, a quote or the end of a line.
std::string csv_field(std::string_view text);

}  // namespace fxcut
