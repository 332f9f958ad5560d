// A table, for a terminal and for Markdown.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fxcut {

struct Table {
  // A letter a column: 'l' text, 'n' names of nodes, operators and the like, which are code in Markdown, 'r' figures,
  // which are aligned right.
  std::string columns;
  std::vector<std::vector<std::string>> rows;  // titles first, in small letters
};

// Titles in capitals, a line a row (text/columns.h).
std::string table_text(const Table& table);

// GitHub's Markdown. More rows than `most_rows` are counted below the table.
std::string table_markdown(const Table& table, std::size_t most_rows);

}  // namespace fxcut
