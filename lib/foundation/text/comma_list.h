// Lists as options and settings write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

// "a,b": what stands between the commas, at least one text; those may be empty.
std::vector<std::string> split_at_commas(std::string_view list);

}  // namespace fxcut
