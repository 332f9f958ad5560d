// The line of a mistake in a text, with a caret under the place, like a compiler's:
//
//     {"version": NaN, "nodes": []}
//                 ^
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fxcut {

// The most terminal columns of a line, without the "..." on a side that is cut.
inline constexpr std::size_t kExcerptColumns = 70;

// Two lines, the last without its end: the text around the byte at `offset` in its line, and the caret. A longer line
// is cut around the place. It is printable (text/printable.h): a tab is a space, and the caret is at the place in a
// terminal, also after escapes and wide characters. `offset` may be the text's end. Takes time at most in proportion to
// the line's length up to the place.
std::string excerpt(std::string_view text, std::size_t offset);

}  // namespace fxcut
