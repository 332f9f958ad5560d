// The color of a printed line, by what it is: a title, a message, or the result of a check. Lines are colored as they are
// printed, so that no other code writes a terminal's commands.
#pragma once

#include <string_view>

namespace fxcut {

// The SGR parameters (ECMA-48) that color the first characters of the line, and their number; none if it is plain.
struct LineColor {
  std::string_view command = {};
  std::size_t characters = 0;
};

LineColor color_of(std::string_view line);

}  // namespace fxcut
