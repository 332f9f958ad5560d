// A row of a table with named rows, as the value of a setting: looked up once, and never compared as text.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace fxcut {

template <typename Row>
struct RowOf {
  std::size_t index = 0;  // the first row is the default

  const Row& in(const std::vector<Row>& table) const { return table[index]; }
};

// The row of that name; none if the table does not have it.
template <typename Row>
std::optional<RowOf<Row>> find_row(const std::vector<Row>& table, std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) return RowOf<Row>{i};
  }
  return std::nullopt;
}

}  // namespace fxcut
