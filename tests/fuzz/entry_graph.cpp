// A joint graph: read, partitioned under a few settings, and written; what is written must be JSON again.
#include <array>
#include <optional>
#include <string_view>

#include "diagnostic/diagnostic.h"
#include "entry.h"
#include "partition/partition.h"
#include "read/read_graph.h"
#include "report/show_report.h"
#include "write/graph_json.h"

namespace {

using namespace fxcut;

std::array<Settings, 4> settings_tried() {
  std::array<Settings, 4> all;
  all[1].aggressive_recomputation = true;
  all[1].ban_recompute_reductions = false;
  all[1].recompute_views = true;
  all[2].ban_recompute_not_in_allowlist = false;
  all[2].is_non_builtin_to_include = true;
  all[2].graphsafe_rng_functionalization = false;
  all[2].cut_side = CutSide::NearestForward;
  all[2].cse = false;
  all[3].activation_memory_budget = 0;
  return all;
}

// nullopt if there is no partition.
std::optional<Partition> try_partition(const JointGraph& joint, const Settings& settings) {
  try {
    return partition(joint, settings);
  } catch (const Failure&) {
    return std::nullopt;
  }
}

void write(const Partition& result, const Document& document) {
  Document::parse(graph_json(result.graphs.forward, result.subgraphs, "forward", document), "forward.json");
  Document::parse(graph_json(result.graphs.backward, result.subgraphs, "backward", document), "backward.json");
  Document::parse(report_json(result.report), "report.json");
  report_table(result.report);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::shared_ptr<const Document> document;
  JointGraph joint;
  try {
    document = Document::parse(std::string(text), "graph.json");
    joint = read_joint_graph(*document);
  } catch (const Failure&) {
    return 0;
  }
  for (const Settings& settings : settings_tried()) {
    if (const auto result = try_partition(joint, settings)) write(*result, *document);
  }
  return 0;
}
