// The line of a text in which something is wrong, with a caret under the place, as compilers show it:
//
//     {"version": NaN, "nodes": []}
//                 ^
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fxcut {

// Columns of a terminal that a line takes at most, without the "..." on a side where it is cut.
inline constexpr std::size_t kExcerptColumns = 70;

// Two lines, the last without its end: what stands around the byte at `offset` in its line, and the caret. A longer line is
// cut around the place. It is printable (text/printable.h): a tab is a space, and the caret stands where a terminal shows the
// place, behind escapes and wide characters too. `offset` may be that of the text's end. Takes time in proportion to the
// line's length up to the place at most.
std::string excerpt(std::string_view text, std::size_t offset);

}  // namespace fxcut
