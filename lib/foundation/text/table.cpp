#include "text/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "text/escaping.h"
#include "text/printable.h"
#include "text/text_style.h"

namespace fxcut {
namespace {

using Rows = std::vector<std::vector<std::string>>;

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x80; });
}

bool are_printable(const Rows& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const auto& row) {
    return std::all_of(row.begin(), row.end(), [](const std::string& cell) { return is_printable(cell); });
  });
}

Rows printable_rows(Rows rows) {
  for (auto& row : rows) {
    for (std::string& cell : row) cell = printable(cell);
  }
  return rows;
}

// A cell, padded to its column. fmt computes the width of characters that are not ASCII.
void append_cell(const std::string& cell, std::size_t width, bool right_aligned, std::string& line) {
  if (!is_ascii(cell)) {
    line += right_aligned ? fmt::format("{:>{}}", cell, width) : fmt::format("{:<{}}", cell, width);
    return;
  }
  if (right_aligned) line.append(width - cell.size(), ' ');
  line += cell;
  if (!right_aligned) line.append(width - cell.size(), ' ');
}

constexpr std::size_t kColumnsApart = 2;    // spaces between columns
constexpr std::size_t kMinColumn = 12;      // characters that a shortened column keeps

std::vector<std::size_t> widths_of(const Rows& rows, std::size_t columns) {
  std::vector<std::size_t> width(columns);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < columns; ++c) width[c] = std::max(width[c], row[c].size());
  }
  return width;
}

// The last column has places.
void shorten(Rows& rows, std::size_t column, std::size_t most) {
  for (auto& row : rows) {
    std::string& cell = row[column];
    cell = column + 1 == row.size() ? shortened_path(cell, most) : shortened(cell, most);
  }
}

}  // namespace

std::string show_columns_within(std::vector<std::vector<std::string>> rows, std::string_view alignment) {
  rows = printable_rows(std::move(rows));
  const std::size_t columns = alignment.size();
  std::vector<std::size_t> width = widths_of(rows, columns);
  const auto excess = [&] {
    const std::size_t taken = std::accumulate(width.begin(), width.end(), kColumnsApart * (columns - 1));
    return taken > text_style().width ? taken - text_style().width : 0;
  };
  const auto cut = [&](std::size_t column) {
    const std::size_t most = std::max(width[column] - std::min(width[column], excess()), kMinColumn);
    if (most >= width[column]) return false;
    shorten(rows, column, most);
    width[column] = most;
    return true;
  };
  if (alignment.back() == 'l' && excess() > 0) cut(columns - 1);
  while (excess() > 0) {
    std::size_t widest = columns;
    for (std::size_t c = 0; c < columns; ++c) {
      if (alignment[c] == 'l' && width[c] > kMinColumn && (widest == columns || width[c] > width[widest])) widest = c;
    }
    if (widest == columns || !cut(widest)) break;
  }
  return show_columns(rows, alignment);
}

std::string show_columns(const std::vector<std::vector<std::string>>& rows, std::string_view alignment) {
  if (!are_printable(rows)) return show_columns(printable_rows(rows), alignment);
  std::vector<std::size_t> width(alignment.size());
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) width[c] = std::max(width[c], row[c].size());
  }
  std::string text, line;
  for (const auto& row : rows) {
    line.clear();
    for (std::size_t c = 0; c < row.size(); ++c) {
      append_cell(row[c], width[c], alignment[c] == 'r', line);
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line;
    text += '\n';
  }
  return text;
}

std::string cut_rows(std::vector<std::vector<std::string>>& rows) {
  const std::size_t all = rows.size(), most = text_style().limit.value_or(all);
  if (all <= most + 1) return "";
  rows.resize(most + 1);
  return fmt::format("... and {} more\n", all - rows.size());
}

std::string table_text(const Table& table) {
  std::vector<std::vector<std::string>> rows = table.rows;
  const std::string more = cut_rows(rows);
  for (std::string& title : rows.front()) {
    std::transform(title.begin(), title.end(), title.begin(), [](unsigned char c) { return std::toupper(c); });
  }
  std::string alignment = table.columns;
  std::replace(alignment.begin(), alignment.end(), 'n', 'l');
  return (text_style().folds ? show_columns_within(rows, alignment) : show_columns(rows, alignment)) + more;
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
