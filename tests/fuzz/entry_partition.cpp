// A joint graph through the whole of fxcut: partitioned under several settings, written, read again, verified, and
// decided once more by its own report.
//
// Where fxcut follows PyTorch, PyTorch's mistakes come along (tests/parity/pytorch_miscomputes.json): writes to
// inputs, second draws of random numbers, 0.0 and -0.0 merged. So what the two sides compute is held against the joint
// graph where operators are functions of their arguments, and calls are merged only where no zero has a sign.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "entry.h"
#include "partition/partition.h"
#include "read/read_graph.h"
#include "report/show_report.h"
#include "solve/budget_solvers.h"
#include "verify/verify.h"
#include "write/graph_json.h"

namespace {

using namespace fxcut;

std::vector<Settings> settings_tried(bool may_merge) {
  std::vector<Settings> all(5);
  all[1].aggressive_recomputation = true;
  all[2].activation_memory_budget = 0.5;
  all[3].activation_memory_budget = 0.3;
  all[3].activation_memory_budget_solver = frontier_solver();
  all[4].partitioner = Partitioner::Default;
  for (Settings& settings : all) settings.cse = may_merge;
  return all;
}

bool is_function(const Node& node) {
  if (!node.is_call()) return true;
  const Operator& callee = *node.callee;
  return callee.known && !callee.mutates && !callee.seeded_random && !callee.is(Operator::Random) &&
         !callee.has_side_effect && !callee.is_collective() && callee.kind != Operator::Kind::HigherOrder;
}

bool computes_only(const JointGraph& joint) {
  return joint.subgraphs.empty() && std::all_of(joint.graph.nodes.begin(), joint.graph.nodes.end(), is_function);
}

std::optional<Partition> try_partition(const JointGraph& joint, const Settings& settings) {
  try {
    return partition(joint, settings, {}, [] { return Halt::TimeIsUp; });
  } catch (const Failure&) {
    return std::nullopt;
  }
}

void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "%.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

JointGraph read_side(const std::string& text, const char* name) {
  return read_any_graph(*Document::parse(std::string(text), name)).joint;
}

void require_same_computation(const JointGraph& joint, const Partition& result, const Document& document) {
  const JointGraph forward =
      read_side(graph_json(result.graphs.forward, result.subgraphs, "forward", document), "forward.json");
  const JointGraph backward =
      read_side(graph_json(result.graphs.backward, result.subgraphs, "backward", document), "backward.json");
  const ReportJson report = ReportJson::parse(report_json(result.report));
  const Verification found = verify(joint, forward, backward, &report);
  require(found.mismatches.empty(), found.mismatches.empty() ? "" : found.mismatches.front().where);
}

void require_replay(const JointGraph& joint, const Partition& result) {
  require(report_json(replay(joint, result.report).report) == report_json(result.report), "the replay differs");
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
  const bool is_pure = computes_only(joint), may_merge = text.find("-0") == std::string_view::npos;
  for (const Settings& settings : settings_tried(may_merge)) {
    const auto result = try_partition(joint, settings);
    if (!result) continue;
    if (is_pure) require_same_computation(joint, *result, *document);
    require_replay(joint, *result);
  }
  return 0;
}
