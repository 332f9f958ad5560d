#include "report/show_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/describe_totals.h"
#include "report/module_bytes.h"
#include "text/escaping.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::size_t kRowsShown = 10;

struct Row {
  std::string first, second;
  std::int64_t bytes = 0;
};

// A table of the largest rows, with their bytes last; the last row sums up the others.
std::string show_largest(std::string_view title, std::vector<std::string> head, std::string_view noun, std::vector<Row> rows) {
  if (rows.empty()) return "";
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.bytes > b.bytes; });
  const std::size_t shown = std::min(rows.size(), kRowsShown);
  std::vector<std::vector<std::string>> cells = {std::move(head)};
  for (std::size_t i = 0; i < shown; ++i) cells.push_back({rows[i].first, rows[i].second, show_bytes(rows[i].bytes)});
  std::int64_t others = 0;
  for (std::size_t i = shown; i < rows.size(); ++i) others += rows[i].bytes;
  if (shown < rows.size()) {
    cells.push_back({"and " + show_count(rows.size() - shown, fmt::format("more {}", noun)), "", show_bytes(others)});
  }
  return fmt::format("\n### {}\n\n{}", title, markdown_table(cells, "llr"));
}

void add_modules(const ModuleBytes& module, std::size_t layers, std::vector<Row>& rows) {
  layers *= module.repeats;
  if (module.own_bytes > 0) {
    rows.push_back({module.path.empty() ? "no module" : markdown_code(module.path),
                    layers > 1 ? fmt::format("x{}", layers) : "", module.own_bytes});
  }
  for (const ModuleBytes& child : module.children) add_modules(child, layers, rows);
}

std::string show_modules(const Report& report) {
  std::vector<Row> rows;
  add_modules(module_bytes(report), 1, rows);
  return show_largest("Activations held, by module", {"module", "layers", "bytes"}, "module", std::move(rows));
}

std::string show_values(const Report& report) {
  std::vector<Row> rows;
  for (const SavedValue& saved : report.saved_values) {
    if (saved.held_bytes() == 0) continue;
    const std::string form = saved.compressed ? " as " + show_form(*saved.compressed) : "";
    rows.push_back({markdown_code(saved.name) + form, markdown_code(saved.op), saved.held_bytes()});
  }
  return show_largest("Activations held, by saved value", {"saved value", "operator", "bytes"}, "value", std::move(rows));
}

std::string totals_in_markdown(const Report& report) {
  std::vector<TotalLine> lines = saved_lines(report);
  for (TotalLine& line : memory_lines(report)) lines.push_back(std::move(line));
  std::vector<std::vector<std::string>> cells = {{"", "", ""}};
  for (const TotalLine& line : lines) cells.push_back({line.label, line.figure, markdown_text(line.meaning)});
  return markdown_table(cells, "lrl");
}

}  // namespace

std::string report_markdown(const Report& report) {
  return fmt::format("## {}\n\n{}{}{}", markdown_text(headline(report)), totals_in_markdown(report), show_modules(report),
                     show_values(report));
}

}  // namespace fxcut
