// Rows of text in columns, and tables, for a terminal and for Markdown.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

// Columns as wide as their widest cell, two spaces apart. `alignment` has a letter a column: 'l' aligns its cells left,
// 'r' right. Every row has that many cells, which are made printable (text/printable.h).
std::string show_columns(const std::vector<std::vector<std::string>>& rows, std::string_view alignment);

// The same within the columns of text_style(): the last column is shortened first, then the widest other one aligned left,
// neither to less than a few characters.
std::string show_columns_within(std::vector<std::vector<std::string>> rows, std::string_view alignment);

// Leaves, below the titles, as many rows as text_style() allows. Returns the line that counts the others, empty if there are
// none.
std::string cut_rows(std::vector<std::vector<std::string>>& rows);

struct Table {
  // A letter a column: 'l' text, 'n' names of nodes, operators and the like, which are code in Markdown, 'r' figures,
  // which are aligned right.
  std::string columns;
  std::vector<std::vector<std::string>> rows;  // titles first, in small letters
};

// Titles in capitals, a line a row, within the columns and rows of text_style().
std::string table_text(const Table& table);

// GitHub's Markdown. More rows than `most_rows` are counted below the table.
std::string table_markdown(const Table& table, std::size_t most_rows);

}  // namespace fxcut
