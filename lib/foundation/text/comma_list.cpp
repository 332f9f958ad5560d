#include "text/comma_list.h"

#include <algorithm>

namespace fxcut {

std::vector<std::string> split_at_commas(std::string_view list) {
  std::vector<std::string> texts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    texts.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return texts;
}

}  // namespace fxcut
