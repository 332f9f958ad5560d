#include "report/decision_effect.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "cost/device_profile.h"
#include "cost/flops.h"
#include "report/describe_parts.h"
#include "report/recomputed_time.h"
#include "report/shared_calls.h"

namespace fxcut {

namespace {

// The bytes of the values that cross in fewer bits, with their scales.
std::int64_t bytes_of_forms(const Finished& finished) {
  std::unordered_set<std::string_view> names;
  for (const QuantizedValue& value : finished.quantized) names.insert({value.quantized, value.scale});
  std::int64_t bytes = 0;
  for (const NodeId id : finished.graphs.forward.output().inputs) {
    const Node& node = finished.graphs.forward[id];
    if (names.contains(node.name)) bytes += element_bytes(node.value->tensor);
  }
  return bytes;
}

std::int64_t held_as_forms(const Graph& joint, const StorageBytes& storages, const Crossing& crossing, const Finished& finished) {
  std::unordered_set<std::string_view> compressed;
  for (const QuantizedValue& value : finished.quantized) compressed.insert(value.name);
  std::vector<NodeId> others = crossing.values;
  std::erase_if(others, [&](NodeId id) { return compressed.contains(joint[id].name); });
  return bytes_not_static(joint, storages, others) + bytes_of_forms(finished);
}

}  // namespace

bool limits_count_forms(const Settings& settings, const PolicyStack& policies) {
  return settings.compress != Compress::None ||
         std::ranges::any_of(policies, [](const Policy& policy) { return asks_for_forms(policy); });
}

DecisionEffect effect_of(const JointGraph& joint, const StorageBytes& storages, const Crossing& crossing,
                         const Finished& finished, const Settings& settings, const std::vector<Unsound>& unsound,
                         bool counts_forms) {
  DecisionEffect effect;
  effect.held_bytes = counts_forms ? held_as_forms(joint.graph, storages, crossing, finished)
                                   : bytes_not_static(joint.graph, storages, crossing.values);
  const std::vector<SharedCall> shared = find_shared_calls(joint.graph, finished.graphs);
  for (const SharedCall& call : shared) {
    effect.recomputed_flops += estimate_flops(joint.graph, joint.graph[call.id], joint.torch.release);
  }
  const DeviceProfile device = device_of(settings, joint.graph).profile;
  effect.recomputed_ms = recomputed_ms(joint.graph, finished.graphs.backward, shared, finished.again, device);
  for (const Unsound& one : unsound) effect.unsound.push_back(unsound_value(joint.graph, one));
  return effect;
}

DecisionEffect effect_of(const Report& report) {
  const RunTimeReport time = report.run_time.value_or(RunTimeReport{});
  const bool counts_forms = limits_count_forms(report.settings, report.policies);
  const std::int64_t held = counts_forms ? report.totals.held_bytes() : report.totals.saved_bytes_not_static;
  return {held, report.totals.recomputed_flops, time.recomputed_ms, time.step_ms, report.unsound};
}

}  // namespace fxcut
