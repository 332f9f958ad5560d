#include "report/columns.h"

#include <fmt/format.h>

#include <algorithm>

namespace fxcut {

std::string show_columns(const std::vector<std::vector<std::string>>& rows, std::string_view alignment) {
  std::vector<std::size_t> width(alignment.size());
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      line +=
          alignment[c] == 'r' ? fmt::format("{:>{}}  ", row[c], width[c]) : fmt::format("{:<{}}  ", row[c], width[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace fxcut
