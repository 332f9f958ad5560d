#include "offload/prefetch.h"

#include <fmt/format.h>

#include <deque>
#include <vector>

#include "classify/host_copies.h"
#include "cost/runtime.h"
#include "cost/size.h"
#include "diagnostic/diagnostic.h"
#include "graph/node_order.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

// A copy that is not placed yet, and the part of its time that is not yet covered by computation.
struct Pending {
  NodeId reload;
  double remaining_ms;
};

double transfer_ms(std::int64_t bytes, double gb_per_second) {
  constexpr double kBytesPerGb = 1024.0 * 1024.0 * 1024.0;
  return static_cast<double>(bytes) / kBytesPerGb * 1000 / gb_per_second;
}

bool has_wait(const Graph& graph, const Users& users, NodeId reload) {
  for (const NodeId user : users.of(reload)) {
    if (graph[user].calls(kWaitTensor)) return true;
  }
  return false;
}

void require_order(const Graph& graph, const std::vector<NodeId>& order) {
  std::vector<bool> is_placed(graph.size(), false);
  for (const NodeId id : order) {
    for (const NodeId input : graph[id].inputs) {
      if (is_placed[index_of(input)]) continue;
      throw Failure(
          ExitStatus::NoPartition,
          fmt::format("'{}' would be prefetched before '{}', which it copies", graph[id].name, graph[input].name),
          "set activation_reload_prefetch to false: the graph has an ao.reload of its own");
    }
    is_placed[index_of(id)] = true;
  }
}

}  // namespace

Graph prefetch_reloads(Graph graph, const Settings& settings, Release release) {
  const Users users(graph);
  NodeOrder order(graph.size());
  std::deque<Pending> queue;
  for (std::size_t i = graph.size() - 1; i-- > 0;) {  // from the end, without the output
    const NodeId id = node_id(i);
    const Node& node = graph[id];
    if (node.is_placeholder()) {
      for (const Pending& pending : queue) order.put_after(id, pending.reload);
      break;
    }
    if (node.calls(kReload) && has_wait(graph, users, id)) {
      const auto source = node_argument(node, 0);
      const std::int64_t bytes = source ? find_size(graph[*source], settings).value_or(0) : 0;
      queue.push_back({id, transfer_ms(bytes, settings.activation_offload_cpu_gpu_bw)});
      continue;
    }
    if (queue.empty()) continue;
    queue.front().remaining_ms -= compute_ms(graph, node, settings, release);
    if (queue.front().remaining_ms <= 0) {
      order.put_before(id, queue.front().reload);
      queue.pop_front();
    }
  }
  const std::vector<NodeId> sequence = order.sequence();
  require_order(graph, sequence);
  return select_nodes(std::move(graph), sequence);
}

}  // namespace fxcut
