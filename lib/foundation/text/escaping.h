// Text within the Markdown of GitHub and GitLab, within CSV and within XML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

// Text as a cell of a table or in a sentence: Markdown's and HTML's markup is escaped, and a line's end is a space. It
// is printable (text/printable.h).
std::string markdown_text(std::string_view text);

// The same as code, in backticks: names of nodes and operators.
std::string markdown_code(std::string_view text);

// A table: the first row is its head, `alignment` has 'l' or 'r' a column. Cells are Markdown already.
std::string markdown_table(const std::vector<std::vector<std::string>>& rows, std::string_view alignment);

// The text as one field of comma-separated values (RFC 4180, but lines end in newlines): in quotes if it contains a comma, a
// quote or a line's end. With an apostrophe before it if a spreadsheet would run it as a formula (it begins with =, +, -, @, a
// tab or a carriage return), and printable (text/printable.h). Not for numbers, which may begin with a sign.
std::string csv_field(std::string_view text);

// The text with XML's own characters escaped, for content and for attributes in double quotes. Characters that XML does
// not allow (most controls, bytes that are not UTF-8) become U+FFFD, and others that a reader would not see are escaped
// (text/printable.h), except line ends and tabs.
std::string xml_text(std::string_view text);

}  // namespace fxcut
