#include <fmt/format.h>

#include "compare/phrases.h"
#include "compare/show_difference.h"
#include "diagnostic/diagnostic.h"
#include "report/place.h"
#include "text/markdown_text.h"

namespace fxcut {
namespace {

using Rows = std::vector<std::vector<std::string>>;

// A comment holds 65,536 characters, and one graph more has to fit into what is left.
constexpr std::size_t kMostRows = 50, kLongestText = 40'000;

std::string figures_table(const Difference& difference) {
  Rows rows = {{"", "before", "after", "change", ""}};
  for (const FigureChange& figure : shown_figures(difference)) {
    rows.push_back({std::string(figure.title), show_figure(figure.before, figure.unit),
                    show_figure(figure.after, figure.unit), show_change(figure.change(), figure.unit),
                    show_share(figure)});
  }
  return markdown_table(rows, "lrrrr");
}

std::string settings_table(const Difference& difference) {
  if (difference.settings.empty()) return "";
  Rows rows = {{"decided by", "before", "after"}};
  for (const SettingChange& setting : difference.settings) {
    rows.push_back({markdown_text(setting.name), markdown_code(setting.before), markdown_code(setting.after)});
  }
  return "\n" + markdown_table(rows, "lll");
}

std::string recomputed_table(const Difference& difference) {
  Rows rows = {{"recomputed", "operator"}};
  for (const auto& [op, count] : count_by_operator(difference.recomputed)) {
    rows.push_back({fmt::format("{:+}", count), markdown_code(op)});
  }
  return rows.size() > 1 ? "\n" + markdown_table(rows, "rl") : "";
}

std::string all_tables(const Difference& difference) {
  return figures_table(difference) + settings_table(difference) + changes_table("saved", difference.saved) +
         recomputed_table(difference) + changes_table("node", difference.nodes);
}

std::string heading(std::string_view verdict, const Sides& sides) {
  return fmt::format("### fxcut diff: {}\n\n{} to {}\n\n", verdict, markdown_code(sides.before),
                     markdown_code(sides.after));
}

std::string list_of(std::string_view title, const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("- {}: {}\n", title, markdown_text(list_names(names)));
}

}  // namespace

std::string changes_table(std::string_view title, const std::vector<ValueChange>& changes) {
  if (changes.empty()) return "";
  Rows rows = {{std::string(title), "by", "value", "operator", "extent", "where", ""}};
  for (const ValueChange& change : changes) {
    if (rows.size() > kMostRows) break;
    rows.push_back({std::string(word_for(change.kind)), show_amount(change), markdown_code(show_name(change)),
                    markdown_code(change.value().op), markdown_text(show_extent(change)),
                    markdown_text(show_place(change.value().provenance)), std::string(note_of(change))});
  }
  std::string text = "\n" + markdown_table(rows, "lrlllll");
  if (changes.size() > kMostRows) text += fmt::format("\nand {} more.\n", changes.size() - kMostRows);
  return text;
}

std::string difference_markdown(const Difference& difference, const Sides& sides) {
  return heading(difference.is_same() ? "the same" : "they differ", sides) + all_tables(difference);
}

std::string difference_markdown(const BatchDifference& batch, const Sides& sides) {
  std::string text = heading(summary_of(batch), sides) + list_of("came", batch.came) + list_of("went", batch.went);
  std::size_t left_out = 0;
  for (const GraphDifference& graph : batch.graphs) {
    if (graph.difference.is_same()) continue;
    if (text.size() > kLongestText) {
      ++left_out;
      continue;
    }
    text += fmt::format("\n#### {}\n\n{}", markdown_code(graph.name), all_tables(graph.difference));
  }
  if (left_out > 0) text += fmt::format("\nand {} more graphs.\n", left_out);
  return text;
}

}  // namespace fxcut
