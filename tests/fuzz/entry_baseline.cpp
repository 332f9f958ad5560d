// A baseline: read, a report held against it, and written again, which gives the same graphs.
#include <cstdlib>
#include <string>
#include <string_view>

#include "check/baseline.h"
#include "check/show_results.h"
#include "diagnostic/diagnostic.h"
#include "entry.h"
#include "known_graph.h"
#include "partition/partition.h"

namespace {

using namespace fxcut;

std::string file_of(const std::vector<BaselineGraph>& graphs) {
  std::vector<std::string> texts;
  for (const BaselineGraph& graph : graphs) texts.push_back(baseline_graph(graph.name, graph.report));
  return baseline_file(texts);
}

void check_against(const ComparedReport& baseline) {
  static const Report report = partition(known_graph(), {}).report;
  Checks checks;
  for (const MeasureRow& measure : measures()) checks.limits.emplace_back(&measure, *parse_limit("0%", measure.unit));
  checks.forbid_save = {*ValuePattern::parse("*")};
  results_json(check_report(report, &baseline, checks), {"a", "b"});
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const std::vector<BaselineGraph> graphs = read_baseline(*Document::parse(std::string(text), "baseline.json"));
    for (const BaselineGraph& graph : graphs) check_against(graph.report);
    const std::string written = file_of(graphs);
    if (file_of(read_baseline(*Document::parse(written, "again.json"))) != written) std::abort();
  } catch (const Failure&) {
  }
  return 0;
}
