#include "host/host_channel.h"

#include <fmt/format.h>

#include <limits>

#include "diagnostic/diagnostic.h"

namespace fxcut {

HostChannel channel_of(const Settings& settings) {
  constexpr double kBytesPerGb = 1024.0 * 1024.0 * 1024.0, kPicosecondsPerSecond = 1e12;
  return {kPicosecondsPerSecond / (settings.activation_offload_cpu_gpu_bw * kBytesPerGb),
          dialect_of(settings) != OffloadDialect::Aten,
          settings.host_bytes_limit ? settings.host_bytes_limit->bytes : std::numeric_limits<std::int64_t>::max(),
          dialect_of(settings) == OffloadDialect::Ao,
          settings.activation_offload_sink_wait};
}

std::vector<Int128> run_times(const Analysis& a, const Estimator& estimator) {
  if (estimator.shown_unit != "ms") {
    throw Failure(ExitStatus::Usage,
                  fmt::format("offload=auto weighs copies against recomputation by the time of both, which the estimator "
                              "'{}' does not tell",
                              estimator.name),
                  "set activation_memory_budget_runtime_estimator to roofline or profile");
  }
  std::vector<NodeId> all;
  for (std::size_t i = 0; i < a.graph().size(); ++i) all.push_back(node_id(i));
  return cost_of_nodes(estimator, a.graph(), all, a.settings, a.joint.torch.release);
}

}  // namespace fxcut
