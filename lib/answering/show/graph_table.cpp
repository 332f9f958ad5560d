#include "show/show_graph.h"

#include <algorithm>
#include <array>
#include <ostream>

#include "show/python_argument.h"
#include "text/printable.h"

namespace fxcut {
namespace {

constexpr std::size_t kColumns = 5;
using Row = std::array<std::string, kColumns>;

constexpr std::array<std::string_view, kColumns> kHeader = {"opcode", "name", "target", "args", "kwargs"};
constexpr std::size_t kHeaderPadding = 2;  // tabulate's: a column is at least that much wider than its header

// Every row is as wide as the widest, so the output's long list could make the table of a large graph too large for any disk:
// cells wider than this do not widen their column. Tables of less than 1 GiB are not affected.
std::size_t widest_counted(std::size_t rows) {
  constexpr std::size_t kMaxTableBytes = std::size_t{1} << 30;
  return kMaxTableBytes / (rows + 1);
}

// The number of characters of UTF-8 text: bytes that continue a character do not count.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

template <typename Cells>
void write_line(const Cells& cells, const std::array<std::size_t, kColumns>& widths, std::ostream& out) {
  std::string line;
  for (std::size_t c = 0; c < kColumns; ++c) {
    if (c > 0) line += "  ";
    line += cells[c];
    const std::size_t width = width_of(cells[c]);
    if (width < widths[c]) line.append(widths[c] - width, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out << line << '\n';
}

}  // namespace

void write_graph_table(const Graph& graph, std::ostream& out) {
  std::vector<Row> rows;
  std::array<std::size_t, kColumns> widths;
  for (std::size_t c = 0; c < kColumns; ++c) widths[c] = kHeader[c].size() + kHeaderPadding;
  const std::size_t widest = widest_counted(graph.size());
  for (const Node& node : graph.nodes) {
    rows.push_back({std::string(opcode_name(node.opcode)), printable(node.name), printable(target_text(node)),
                    printable(positional_repr(graph, node)), printable(keyword_repr(graph, node))});
    for (std::size_t c = 0; c < kColumns; ++c) {
      const std::size_t width = width_of(rows.back()[c]);
      if (width <= widest) widths[c] = std::max(widths[c], width);
    }
  }
  write_line(kHeader, widths, out);
  Row rule;
  for (std::size_t c = 0; c < kColumns; ++c) rule[c] = std::string(widths[c], '-');
  write_line(rule, widths, out);
  for (const Row& row : rows) write_line(row, widths, out);
}

}  // namespace fxcut
