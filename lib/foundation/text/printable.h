// Printable text. Names come from files, which anybody may have written: terminal controls, changes of the direction of
// writing, and line ends within names are escaped as in JSON ("\u001b"), so that JSON stays the same value. Bytes that
// are not UTF-8 are written "\xff".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fxcut {

// Text within a line: a name, a cell, a sentence.
std::string printable(std::string_view text);

// Several lines, whose ends stay.
std::string printable_lines(std::string_view text);

// A sentence with lines below it that are indented by at least two spaces: other line ends are escaped, so that no name
// begins a line like a message.
std::string printable_paragraph(std::string_view text);

// Whether the text, or the lines, need no escapes.
bool is_printable(std::string_view text);
bool are_printable_lines(std::string_view text);

// The most characters of a name in a picture. The longest of PyTorch's operators has 65.
inline constexpr std::size_t kLongestInPicture = 80;

// The text, or its beginning and its end with "..." between them if it has more than `most` characters, which is at least 4.
std::string shortened(std::string_view text, std::size_t most = kLongestInPicture);

// The same for a path of modules or files, whose end says more.
std::string shortened_path(std::string_view path, std::size_t most);

}  // namespace fxcut
