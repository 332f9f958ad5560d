// Strings of Python as repr writes them.
#pragma once

#include <string>
#include <string_view>

namespace fxcut {

// What stands between the quotes, with each escape (\n, \', \x41, \u0041, ...) as the character that it means, in
// UTF-8; one that is not known stays as it is.
std::string resolve_python_escapes(std::string_view text);

}  // namespace fxcut
