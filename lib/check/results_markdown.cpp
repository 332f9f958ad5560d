#include <fmt/format.h>

#include "check/show_results.h"
#include "report/markdown_text.h"
#include "compare/show_difference.h"

namespace fxcut {

std::string results_markdown(const CheckResults& results, const CheckedFiles& files) {
  std::string text = fmt::format("### fxcut check: {}\n\n{}", verdict(results), markdown_code(files.report));
  if (!files.baseline.empty()) text += fmt::format(" against {}", markdown_code(files.baseline));
  std::vector<std::vector<std::string>> rows = {{"", "demand", ""}};
  for (const CheckResult& result : results) {
    rows.push_back({result.holds ? "holds" : "**broken**", markdown_code(result.demand), markdown_text(result.text)});
  }
  text += "\n\n" + markdown_table(rows, "lll");
  for (const CheckResult& result : results) {
    if (result.holds || result.responsible.empty()) continue;
    text += fmt::format("\n{}\n", markdown_code(result.demand));
    text += changes_table("", result.responsible);
  }
  return text;
}

}  // namespace fxcut
