// Text within Markdown of GitHub and GitLab.
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

}  // namespace fxcut
