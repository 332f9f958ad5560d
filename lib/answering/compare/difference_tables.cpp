#include "compare/show_difference.h"

#include <fmt/format.h>

#include "compare/folded_changes.h"
#include "compare/phrases.h"

namespace fxcut {
namespace {

Table figures_table(const Difference& difference) {
  Table table{"lrrrr", {{"", "before", "after", "change", ""}}};
  for (const FigureChange& figure : shown_figures(difference)) {
    table.rows.push_back({std::string(figure.title), show_figure(figure.before, figure.unit),
                          show_figure(figure.after, figure.unit), show_change(figure.change(), figure.unit),
                          show_share(figure)});
  }
  return table;
}

Table settings_table(const Difference& difference) {
  Table table{"lnn", {{"decided by", "before", "after"}}};
  for (const SettingChange& setting : difference.settings) {
    table.rows.push_back({setting.name, setting.before, setting.after});
  }
  return table;
}

// An operator whose recomputation moved to another value counts 0.
Table recomputed_table(const Difference& difference) {
  Table table{"rn", {{"recomputed", "operator"}}};
  for (const auto& [op, count] : count_by_operator(difference.recomputed)) {
    table.rows.push_back({fmt::format("{:+}", count), op});
  }
  return table;
}

// Adds a column, after the amount, with the number of changes that a row stands for.
void add_counts(const std::vector<FoldedChange>& rows, Table& table) {
  constexpr std::ptrdiff_t kColumn = 2;
  table.columns.insert(kColumn, "l");
  table.rows.front().insert(table.rows.front().begin() + kColumn, "");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string>& row = table.rows[i + 1];
    row.insert(row.begin() + kColumn, rows[i].values > 1 ? fmt::format("x{}", rows[i].values) : "");
  }
}

}  // namespace

Table changes_table(std::string_view title, const std::vector<ValueChange>& changes) {
  Table table{"lrnnlll", {{std::string(title), "change", "value", "operator", "extent", "where", ""}}};
  const std::vector<FoldedChange> rows = folded(changes);
  for (const auto& [change, values, place] : rows) {
    table.rows.push_back({std::string(name_of(change.kind)), show_amount(change), show_name(change), change.value().op,
                          show_extent(change), place, std::string(note_of(change))});
  }
  if (rows.size() < changes.size()) add_counts(rows, table);
  return table;
}

std::vector<Table> difference_tables(const Difference& difference) {
  std::vector<Table> tables = {figures_table(difference)};
  for (const Table& table : {settings_table(difference), changes_table("saved", difference.saved), recomputed_table(difference),
                       changes_table("nodes", difference.nodes)}) {
    if (table.rows.size() > 1) tables.push_back(table);
  }
  return tables;
}

}  // namespace fxcut
