// A stack of policies: read, applied to a graph, and written into its report, which must read back the same.
#include <cstdlib>
#include <string>
#include <string_view>

#include "diagnostic/diagnostic.h"
#include "entry.h"
#include "known_graph.h"
#include "partition/partition.h"
#include "read/read_policy.h"
#include "report/read_report.h"
#include "report/show_report.h"

using namespace fxcut;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const PolicyStack policies = read_policies(*Document::parse(std::string(text), "policy.json"));
    const std::string report = report_json(partition(known_graph(), {}, policies).report);
    if (report_json(read_report(*Document::parse(report, "report.json"))) != report) std::abort();
  } catch (const Failure&) {
  }
  return 0;
}
