#include "text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "text/columns.h"
#include "text/markdown_text.h"

namespace fxcut {

std::string table_text(const Table& table) {
  auto rows = table.rows;
  for (std::string& title : rows.front()) {
    std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
  }
  return show_columns(rows, table.columns);
}

std::string table_markdown(const Table& table, std::size_t most_rows) {
  std::vector<std::vector<std::string>> rows(table.rows.begin(),
                                             table.rows.begin() + static_cast<std::ptrdiff_t>(
                                                                      std::min(table.rows.size(), most_rows + 1)));
  for (std::size_t r = 1; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      std::string& cell = rows[r][c];
      if (table.columns[c] != 'r') cell = table.columns[c] == 'n' ? markdown_code(cell) : markdown_text(cell);
    }
  }
  const std::size_t more = table.rows.size() - rows.size();
  return markdown_table(rows, table.columns) + (more > 0 ? fmt::format("\nand {} more.\n", more) : "");
}

}  // namespace fxcut
