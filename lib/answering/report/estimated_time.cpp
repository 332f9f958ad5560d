#include "report/estimated_time.h"

#include "cost/fused_roofline.h"

namespace fxcut {

double recomputed_ms(const Graph& joint, const std::vector<SharedCall>& shared, const std::vector<RunAgain>& again,
                     const DeviceProfile& device) {
  const std::vector<double> times = fused_roofline_ms(joint, device);
  double recomputed = 0;
  for (const SharedCall& call : shared) recomputed += times[index_of(call.id)];
  for (const RunAgain& one : again) recomputed += times[index_of(one.value)];
  return recomputed;
}

RunTimeReport estimate_run_time(const Graph& joint, const GraphPair& graphs, const std::vector<SharedCall>& shared,
                                const std::vector<RunAgain>& again, const Settings& settings) {
  const EstimatedDevice device = device_of(settings, joint);
  RunTimeReport estimate{device.profile.name, device.from};
  estimate.recomputed_ms = recomputed_ms(joint, shared, again, device.profile);
  estimate.step_ms = run_time_ms(graphs.forward, device.profile) + run_time_ms(graphs.backward, device.profile);
  return estimate;
}

}  // namespace fxcut
