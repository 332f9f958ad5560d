#include "show/graph_table.h"

#include <algorithm>
#include <array>

#include "show/python_argument.h"

namespace fxcut {
namespace {

constexpr std::size_t kColumns = 5;
using Row = std::array<std::string, kColumns>;

constexpr std::array<std::string_view, kColumns> kHeader = {"opcode", "name", "target", "args", "kwargs"};
constexpr std::size_t kHeaderPadding = 2;  // tabulate's: a column is that much wider than its header at least

std::string_view opcode_name(Opcode opcode) {
  switch (opcode) {
    case Opcode::Placeholder: return "placeholder";
    case Opcode::CallFunction: return "call_function";
    case Opcode::GetAttr: return "get_attr";
    case Opcode::Output: return "output";
  }
  return "";
}

// Every row is as wide as the widest, so that the output's long list could make a table of a large graph that no disk
// holds: what is wider than this does not widen its column. No table of less than 64 MB is changed by it.
std::size_t widest_counted(std::size_t rows) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  return kMostBytes / (rows + 1);
}

// Characters of UTF-8 text: what follows the first byte of one counts nothing.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

template <typename Cells>
void append_line(const Cells& cells, const std::array<std::size_t, kColumns>& widths, std::string& out) {
  const std::size_t begin = out.size();
  for (std::size_t c = 0; c < kColumns; ++c) {
    if (c > 0) out += "  ";
    out += cells[c];
    const std::size_t width = width_of(cells[c]);
    if (width < widths[c]) out.append(widths[c] - width, ' ');
  }
  while (out.size() > begin && out.back() == ' ') out.pop_back();
  out += '\n';
}

}  // namespace

std::string graph_table(const Graph& graph) {
  std::vector<Row> rows;
  std::array<std::size_t, kColumns> widths;
  for (std::size_t c = 0; c < kColumns; ++c) widths[c] = kHeader[c].size() + kHeaderPadding;
  const std::size_t widest = widest_counted(graph.size());
  for (const Node& node : graph.nodes) {
    rows.push_back({std::string(opcode_name(node.opcode)), node.name, target_text(node), positional_repr(graph, node),
                    keyword_repr(graph, node)});
    for (std::size_t c = 0; c < kColumns; ++c) {
      const std::size_t width = width_of(rows.back()[c]);
      if (width <= widest) widths[c] = std::max(widths[c], width);
    }
  }
  std::string out;
  append_line(kHeader, widths, out);
  Row rule;
  for (std::size_t c = 0; c < kColumns; ++c) rule[c] = std::string(widths[c], '-');
  append_line(rule, widths, out);
  for (const Row& row : rows) append_line(row, widths, out);
  return out;
}

}  // namespace fxcut
