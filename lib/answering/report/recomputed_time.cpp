#include "report/recomputed_time.h"

#include <string_view>
#include <unordered_set>

#include "cost/fused_roofline.h"

namespace fxcut {
namespace {

std::vector<NodeId> runs_under_saved_states(const Graph& joint, const Graph& backward, const std::vector<SharedCall>& shared) {
  std::unordered_set<std::string_view> names;
  for (const Node& node : backward.nodes) {
    if (node.wrapped) names.insert(*node.wrapped);
  }
  for (const SharedCall& call : shared) names.erase(joint[call.id].name);
  std::vector<NodeId> runs;
  for (std::size_t i = 0; i < joint.size() && !names.empty(); ++i) {
    if (names.contains(joint.nodes[i].name)) runs.push_back(node_id(i));
  }
  return runs;
}

}  // namespace

double recomputed_ms(const Graph& joint, const Graph& backward, const std::vector<SharedCall>& shared,
                     const std::vector<RunAgain>& again, const DeviceProfile& device) {
  const std::vector<double> times = fused_roofline_ms(joint, device);
  double recomputed = 0;
  for (const SharedCall& call : shared) recomputed += times[index_of(call.id)];
  for (const NodeId id : runs_under_saved_states(joint, backward, shared)) recomputed += times[index_of(id)];
  for (const RunAgain& one : again) recomputed += times[index_of(one.value)];
  return recomputed;
}

}  // namespace fxcut
