// Lists in options and settings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

// "a,b": the texts between the commas, at least one; they may be empty.
std::vector<std::string> split_at_commas(std::string_view list);

}  // namespace fxcut
