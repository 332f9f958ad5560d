// Text as people may see it. Names come from files, which may be anybody's: what a terminal would take for a command,
// what turns the direction of writing, and a line's end where a name ends no line, are written as JSON escapes them
// ("\u001b"), so that JSON stays the same value. Bytes that are no UTF-8 are written "\xff".
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

// Text that stands within a line: a name, a cell, a sentence.
std::string printable(std::string_view text);

// Lines, each of which ends where it does.
std::string printable_lines(std::string_view text);

// A sentence with lines below it that are indented by two spaces at least: other ends of lines are escaped, so that no
// name begins a line as a message does.
std::string printable_paragraph(std::string_view text);

// Whether the text, or the lines, are printable as they are.
bool is_printable(std::string_view text);
bool are_printable_lines(std::string_view text);

}  // namespace fxcut
