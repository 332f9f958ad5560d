#include "text/excerpt.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "text/characters.h"
#include "text/printable.h"

namespace fxcut {
namespace {

// A character in its printed form.
struct Cell {
  std::string shown;
  std::size_t columns;
};
using Cells = std::span<const Cell>;

Cell cell_of(std::string_view character) {
  if (character == "\t") return {" ", 1};
  std::string shown = printable(character);
  const std::size_t columns = shown == character ? columns_of(character) : shown.size();
  return {std::move(shown), columns};
}

std::vector<Cell> cells_of(std::string_view text) {
  std::vector<Cell> cells;
  while (!text.empty()) {
    const std::size_t bytes = first_character(text).bytes;
    cells.push_back(cell_of(text.substr(0, bytes)));
    text.remove_prefix(bytes);
  }
  return cells;
}

std::size_t columns_in(Cells cells) {
  return std::accumulate(cells.begin(), cells.end(), std::size_t{0},
                         [](std::size_t sum, const Cell& cell) { return sum + cell.columns; });
}

std::string shown(Cells cells) {
  std::string text;
  for (const Cell& cell : cells) text += cell.shown;
  return text;
}

// The number of first cells that fit into that many columns.
std::size_t fitting(auto cell, const auto& end, std::size_t columns) {
  std::size_t count = 0;
  for (; cell != end && cell->columns <= columns; ++cell, ++count) columns -= cell->columns;
  return count;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The most bytes shown on either side: the longest character has four.
constexpr std::size_t kMaxBytes = 4 * kExcerptColumns;

std::string_view last_bytes(std::string_view line) {
  if (line.size() <= kMaxBytes) return line;
  line.remove_prefix(line.size() - kMaxBytes);
  while (!line.empty() && is_continuation(line.front())) line.remove_prefix(1);
  return line;
}

}  // namespace

std::string excerpt(std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::string_view before_it = text.substr(0, offset), from_it = text.substr(offset);
  const std::string_view line_before = before_it.substr(before_it.rfind('\n') + 1);  // npos + 1 == 0
  std::string_view line_after = from_it.substr(0, std::min(from_it.find('\n'), kMaxBytes));
  const bool is_cut_after = line_after.size() < from_it.size() && from_it[line_after.size()] != '\n';
  if (!is_cut_after && line_after.ends_with('\r')) line_after.remove_suffix(1);
  const std::vector<Cell> left = cells_of(last_bytes(line_before)), right = cells_of(line_after);

  // Half the columns for each side, and columns that one does not need for the other.
  const std::size_t needed_right = std::min(columns_in(right), kExcerptColumns / 2);
  const std::size_t kept_left = fitting(left.rbegin(), left.rend(), kExcerptColumns - needed_right);
  const Cells before(left.end() - static_cast<std::ptrdiff_t>(kept_left), left.end());
  const std::size_t kept_right = fitting(right.begin(), right.end(), kExcerptColumns - columns_in(before));
  const Cells after(right.begin(), kept_right);

  const bool is_cut_left = kept_left < left.size() || last_bytes(line_before).size() < line_before.size();
  const std::string_view dots_left = is_cut_left ? "..." : "";
  const std::string_view dots_right = kept_right < right.size() || is_cut_after ? "..." : "";
  std::string both(dots_left);
  both += shown(before) + shown(after);
  both += dots_right;
  both += '\n';
  both.append(dots_left.size() + columns_in(before), ' ');
  return both + '^';
}

}  // namespace fxcut
