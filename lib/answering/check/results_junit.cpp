#include <fmt/format.h>

#include "check/show_results.h"
#include "text/escaping.h"
#include "text/printable.h"

namespace fxcut {
namespace {

// Text for an attribute or a line, without line breaks.
std::string in_line(std::string_view text) { return xml_text(printable(text)); }

std::string failure_element(const CheckResult& result) {
  std::string lines;
  for (const std::string& line : responsible_lines(result)) lines += in_line(line) + "\n";
  return fmt::format("      <failure message=\"{}\" type=\"broken\">{}</failure>\n", in_line(result.text), lines);
}

std::string place_of(const CheckResult& result) {
  return result.at ? fmt::format(" file=\"{}\" line=\"{}\"", in_line(result.at->file), result.at->line) : "";
}

std::string suite(const std::string& name, const CheckResults& results) {
  std::string text = fmt::format("  <testsuite name=\"fxcut check {}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
                                 "skipped=\"0\">\n",
                                 in_line(name), results.size(), num_failed(results));
  for (const CheckResult& result : results) {
    text += fmt::format("    <testcase classname=\"fxcut.check\" name=\"{}\"{}", in_line(result.check), place_of(result));
    text += result.passed ? "/>\n" : fmt::format(">\n{}    </testcase>\n", failure_element(result));
  }
  return text + "  </testsuite>\n";
}

// A removed graph is not a failure, but must not look like one that passed.
std::string suite_of_removed(const std::string& name) {
  return fmt::format("  <testsuite name=\"fxcut check {}\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"1\">\n"
                     "    <testcase classname=\"fxcut.check\" name=\"gone\">\n"
                     "      <skipped message=\"only in the baseline\"/>\n"
                     "    </testcase>\n"
                     "  </testsuite>\n",
                     in_line(name));
}

std::string suites(std::size_t tests, std::size_t failures, const std::string& content) {
  return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<testsuites tests=\"{}\" failures=\"{}\">\n{}</testsuites>\n",
                     tests, failures, content);
}

}  // namespace

std::string results_junit(const CheckResults& results, const CheckedFiles& files) {
  return suites(results.size(), num_failed(results), suite(files.report, results));
}

std::string batch_junit(const CheckedBatch& batch) {
  std::string content;
  std::size_t tests = batch.removed.size(), failures = 0;
  for (const CheckedGraph& graph : batch.graphs) {
    content += suite(graph.name, graph.results);
    tests += graph.results.size();
    failures += num_failed(graph.results);
  }
  for (const std::string& name : batch.removed) content += suite_of_removed(name);
  return suites(tests, failures, content);
}

}  // namespace fxcut
