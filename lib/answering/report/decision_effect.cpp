#include "report/decision_effect.h"

#include <numeric>

#include "cost/flops.h"
#include "report/describe_parts.h"
#include "report/shared_calls.h"

namespace fxcut {

DecisionEffect effect_of(const JointGraph& joint, const StorageBytes& storages, const Crossing& crossing,
                         const Finished& finished, const std::vector<Unsound>& unsound) {
  DecisionEffect effect;
  const std::vector<std::int64_t> kept = kept_bytes(joint.graph, storages, crossing.values);
  effect.held_bytes = std::accumulate(kept.begin(), kept.end(), std::int64_t{0});
  for (const SharedCall& call : find_shared_calls(joint.graph, finished.graphs)) {
    effect.recomputed_flops += estimate_flops(joint.graph, joint.graph[call.id], joint.torch.release);
  }
  for (const Unsound& one : unsound) effect.unsound.push_back(unsound_value(joint.graph, one));
  return effect;
}

DecisionEffect effect_of(const Report& report) {
  return {report.totals.saved_bytes_not_static, report.totals.recomputed_flops, report.unsound};
}

}  // namespace fxcut
