// A report: read and written again, compared, held against demands, and replayed on the graph that the seeds are of.
#include <cstdlib>
#include <string>
#include <string_view>

#include "check/show_results.h"
#include "compare/compare_reports.h"
#include "compare/show_difference.h"
#include "diagnostic/diagnostic.h"
#include "entry.h"
#include "known_graph.h"
#include "partition/partition.h"
#include "report/read_report.h"
#include "report/show_report.h"

namespace {

using namespace fxcut;

const Report& decided() {
  static const Report report = partition(known_graph(), {}).report;
  return report;
}

void require(bool passed) {
  if (!passed) std::abort();
}

void compare(const Report& report) {
  require(compare_reports(report, report).is_same());
  const Difference difference = compare_reports(decided(), report);
  Document::parse(difference_json(difference, {"a", "b"}), "diff.json");
  difference_text(difference, {"a", "b"});
  difference_markdown(difference, {"a", "b"});
}

void check(const Report& report) {
  Checks checks;
  checks.limits.emplace_back(&measures().front(), *parse_limit("1%", measures().front().unit));
  checks.forbid_save = {*ValuePattern::parse("aten*")};
  checks.require_save = {*ValuePattern::parse("name:*")};
  const ComparedReport baseline = compared(decided());
  const CheckResults results = check_report(report, &baseline, checks);
  Document::parse(results_json(results, {"a", "b"}), "check.json");
  for (const auto show : {results_text, results_junit, results_github, results_markdown}) show(results, {"a", "b"});
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Report report;
  try {
    report = read_report(*Document::parse(std::string(text), "report.json"));
  } catch (const Failure&) {
    return 0;
  }
  const std::string written = report_json(report);
  require(report_json(read_report(*Document::parse(written, "report.json"))) == written);
  compare(report);
  check(report);
  try {
    replay(known_graph(), report);
  } catch (const Failure&) {
  }
  return 0;
}
