#include "offload/copy_durations.h"

#include <cstdint>

#include "cost/size.h"

namespace fxcut {

double copy_ms(const Graph& graph, const Node& copy, const Settings& settings) {
  constexpr double kBytesPerGb = 1024.0 * 1024.0 * 1024.0;
  const auto source = node_argument(copy, 0);
  const std::int64_t bytes = source ? find_size(graph[*source], settings).value_or(0) : 0;
  return static_cast<double>(bytes) / kBytesPerGb * 1000 / settings.activation_offload_cpu_gpu_bw;
}

}  // namespace fxcut
