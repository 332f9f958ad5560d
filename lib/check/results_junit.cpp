#include <fmt/format.h>

#include <algorithm>

#include "check/show_results.h"
#include "report/xml_text.h"

namespace fxcut {
namespace {

std::string failure_element(const CheckResult& result) {
  std::string lines;
  for (const ValueChange& change : result.responsible) lines += show_responsible(change) + "\n";
  return fmt::format("      <failure message=\"{}\" type=\"broken\">{}</failure>\n", xml_text(result.text),
                     xml_text(lines));
}

}  // namespace

std::string results_junit(const CheckResults& results, const CheckedFiles& files) {
  const auto broken =
      std::count_if(results.begin(), results.end(), [](const CheckResult& result) { return !result.holds; });
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites tests=\"{0}\" failures=\"{1}\">\n"
                      "  <testsuite name=\"fxcut check {2}\" tests=\"{0}\" failures=\"{1}\" errors=\"0\" "
                      "skipped=\"0\">\n",
                      results.size(), broken, xml_text(files.report));
  for (const CheckResult& result : results) {
    text += fmt::format("    <testcase classname=\"fxcut.check\" name=\"{}\"", xml_text(result.demand));
    text += result.holds ? "/>\n" : fmt::format(">\n{}    </testcase>\n", failure_element(result));
  }
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace fxcut
