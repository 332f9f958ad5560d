// Rows of text in columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fxcut {

// Columns as wide as their widest cell, two spaces apart. `alignment` has a letter a column: 'l' aligns its cells left,
// 'r' right. Every row has that many cells, which are made printable (text/printable.h).
std::string show_columns(const std::vector<std::vector<std::string>>& rows, std::string_view alignment);

}  // namespace fxcut
