// Lists in options and settings, and other texts of parts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

// The texts between these characters, at least one; they may be empty.
std::vector<std::string> split_at(char separator, std::string_view text);

// "a,b": the texts between the commas, at least one; they may be empty.
std::vector<std::string> split_at_commas(std::string_view list);

}  // namespace fxcut
