#include <fmt/format.h>

#include "check/show_results.h"
#include "compare/show_difference.h"
#include "diagnostic/diagnostic.h"
#include "text/escaping.h"

namespace fxcut {
namespace {

std::string heading(const std::string& verdict, const std::string& report, const std::string& baseline) {
  std::string text = fmt::format("### fxcut check: {}\n\n{}", verdict, markdown_code(report));
  if (!baseline.empty()) text += fmt::format(" against {}", markdown_code(baseline));
  return text + "\n";
}

std::string checks_tables(const CheckResults& results) {
  std::vector<std::vector<std::string>> rows = {{"", "check", ""}};
  for (const CheckResult& result : results) {
    rows.push_back({result.passed ? "passed" : "**failed**", markdown_code(result.check), markdown_text(result.text)});
  }
  std::string text = "\n" + markdown_table(rows, "lll");
  for (const CheckResult& result : results) {
    if (result.passed || result.responsible.empty()) continue;
    text += fmt::format("\n{}\n\n", markdown_code(result.check));
    text += table_markdown(changes_table("", result.responsible), kMaxCommentRows);
  }
  return text;
}

std::string failed_graphs(const CheckedBatch& batch) {
  std::string text;
  std::size_t left_out = 0;
  for (const CheckedGraph& graph : batch.graphs) {
    if (all_passed(graph.results)) continue;
    if (text.size() > kMaxCommentBytes) {
      ++left_out;
      continue;
    }
    text += fmt::format("\n#### {}{}\n", markdown_code(graph.name), graph.is_new ? ", not in the baseline" : "");
    text += checks_tables(graph.results);
  }
  if (left_out > 0) text += fmt::format("\nand {} more graphs.\n", left_out);
  return text;
}

}  // namespace

std::string results_markdown(const CheckResults& results, const CheckedFiles& files) {
  return heading(verdict(results), files.report, files.baseline) + checks_tables(results);
}

std::string batch_markdown(const CheckedBatch& batch) {
  std::string text = heading(verdict(batch), batch.reports, batch.baseline) + "\n";
  for (const BatchTotal& total : batch.totals) text += fmt::format("- {}\n", markdown_text(show_total(total)));
  if (const std::string names = names_of_new(batch); !names.empty()) {
    text += fmt::format("- not in the baseline: {}\n", markdown_text(names));
  }
  if (!batch.removed.empty()) text += fmt::format("- only in the baseline: {}\n", markdown_text(list_names(batch.removed)));
  return text + failed_graphs(batch);
}

}  // namespace fxcut
