#include "text/comma_list.h"

#include <algorithm>

namespace fxcut {

std::vector<std::string> split_at(char separator, std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string> split_at_commas(std::string_view list) { return split_at(',', list); }

}  // namespace fxcut
