#include <fmt/format.h>

#include "compare/phrases.h"
#include "compare/show_difference.h"
#include "report/columns.h"
#include "report/place.h"

namespace fxcut {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string show_figures(const Difference& difference) {
  Rows rows = {{"", "BEFORE", "AFTER", "CHANGE", ""}};
  for (const FigureChange& figure : shown_figures(difference)) {
    rows.push_back({std::string(figure.title), show_figure(figure.before, figure.unit),
                    show_figure(figure.after, figure.unit), show_change(figure.change(), figure.unit),
                    show_share(figure)});
  }
  return show_columns(rows, "lrrrr");
}

std::string show_settings(const Difference& difference) {
  if (difference.settings.empty()) return "";
  Rows rows = {{"DECIDED BY", "BEFORE", "AFTER"}};
  for (const SettingChange& setting : difference.settings) {
    rows.push_back({setting.name, setting.before, setting.after});
  }
  return "\n" + show_columns(rows, "lll");
}

std::string show_values(std::string_view title, const std::vector<ValueChange>& changes) {
  if (changes.empty()) return "";
  Rows rows = {{std::string(title), "BYTES", "VALUE", "OPERATOR", "EXTENT", "WHERE", ""}};
  for (const ValueChange& change : changes) {
    rows.push_back({std::string(word_for(change.kind)), show_change(change.bytes, "B"), show_name(change),
                    change.value().op, show_extent(change), show_place(change.value().provenance),
                    std::string(note_of(change))});
  }
  return "\n" + show_columns(rows, "lrlllll");
}

// An operator in whose place another value of the same operator is recomputed counts nothing.
std::string show_recomputed(const Difference& difference) {
  Rows rows = {{"RECOMPUTED", "OPERATOR"}};
  for (const auto& [op, count] : count_by_operator(difference.recomputed)) {
    rows.push_back({fmt::format("{:+}", count), op});
  }
  return rows.size() > 1 ? "\n" + show_columns(rows, "rl") : "";
}

}  // namespace

std::string difference_text(const Difference& difference, const Sides& sides) {
  const std::string_view things = difference.what == "report" ? "the decisions" : "the graphs";
  return fmt::format("{} -> {}: {} {}\n\n", sides.before, sides.after, things,
                     difference.is_same() ? "are the same" : "differ") +
         show_figures(difference) + show_settings(difference) + show_values("SAVED", difference.saved) +
         show_recomputed(difference) + show_values("NODES", difference.nodes);
}

}  // namespace fxcut
