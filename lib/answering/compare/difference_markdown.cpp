#include <fmt/format.h>

#include "compare/show_difference.h"
#include "diagnostic/diagnostic.h"
#include "text/escaping.h"

namespace fxcut {
namespace {

std::string all_tables(const Difference& difference) {
  std::string text;
  for (const Table& table : difference_tables(difference)) {
    text += (text.empty() ? "" : "\n") + table_markdown(table, kMaxCommentRows);
  }
  return text;
}

std::string heading(std::string_view verdict, const Sides& sides) {
  return fmt::format("### fxcut diff: {}\n\n{} to {}\n\n", verdict, markdown_code(sides.before), markdown_code(sides.after));
}

std::string list_of(std::string_view title, const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("- {}: {}\n", title, markdown_text(list_names(names)));
}

}  // namespace

std::string difference_markdown(const Difference& difference, const Sides& sides) {
  return heading(difference.is_same() ? "the same" : "they differ", sides) + all_tables(difference);
}

std::string difference_markdown(const BatchDifference& batch, const Sides& sides) {
  std::string text = heading(summary_of(batch), sides) + list_of("came", batch.added) + list_of("went", batch.removed);
  std::size_t left_out = 0;
  for (const GraphDifference& graph : batch.graphs) {
    if (graph.difference.is_same()) continue;
    if (text.size() > kMaxCommentBytes) {
      ++left_out;
      continue;
    }
    text += fmt::format("\n#### {}\n\n{}", markdown_code(graph.name), all_tables(graph.difference));
  }
  if (left_out > 0) text += fmt::format("\nand {} more graphs.\n", left_out);
  return text;
}

}  // namespace fxcut
