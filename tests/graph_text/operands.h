// Values and arguments in the notation, as JSON.
#pragma once

#include <string>
#include <string_view>

#include "graph_text/line.h"

namespace fxcut::notation {

// The members of a tensor whose dtype has been read.
std::string tensor(Line& line, std::string_view dtype);

std::string value(Line& line);

std::string argument(Line& line);

// The members `args` and `kwargs` of a call, after a comma: positional arguments, then KEY=ARGUMENT.
std::string call_arguments(Line& line);

}  // namespace fxcut::notation
