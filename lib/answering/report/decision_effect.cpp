#include "report/decision_effect.h"

#include <algorithm>
#include <numeric>

#include "cost/device_profile.h"
#include "cost/flops.h"
#include "report/describe_parts.h"
#include "report/recomputed_time.h"
#include "report/shared_calls.h"

namespace fxcut {

DecisionEffect effect_of(const JointGraph& joint, const StorageBytes& storages, const Crossing& crossing,
                         const Finished& finished, const Settings& settings, const std::vector<Unsound>& unsound) {
  DecisionEffect effect;
  const std::vector<std::int64_t> kept = kept_bytes(joint.graph, storages, crossing.values);
  effect.held_bytes = std::accumulate(kept.begin(), kept.end(), std::int64_t{0});
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
  const bool counts_forms =  // as its limit does
      report.settings.compress != Compress::None ||
      std::ranges::any_of(report.policies, [](const Policy& policy) { return asks_for_forms(policy); });
  const std::int64_t held = counts_forms ? report.totals.held_bytes() : report.totals.saved_bytes_not_static;
  return {held, report.totals.recomputed_flops, time.recomputed_ms, time.step_ms, report.unsound};
}

}  // namespace fxcut
