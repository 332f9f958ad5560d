#include "offload/offload.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "classify/host_copies.h"
#include "cost/estimators.h"
#include "cost/fused_roofline.h"
#include "cost/size.h"
#include "diagnostic/diagnostic.h"
#include "graph/editing.h"
#include "graph/rebuild.h"
#include "offload/sides.h"

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

bool computes(const Graph& graph, const std::string& name) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [&](const Node& node) { return node.is_call() && node.name == name; });
}

// Throws if a policy's MUST cannot be met. A value that the backward does not need is saved nowhere, so it is not an
// error.
void require_musts(const std::vector<OffloadCandidate>& candidates, const Graph& backward) {
  std::vector<Diagnostic> refusals;
  const auto refuse = [&](const OffloadCandidate& candidate, std::string_view why, const char* advice) {
    refusals.push_back({"", fmt::format("'{}' must be offloaded, but {}", candidate.name, why), advice});
  };
  for (const OffloadCandidate& candidate : candidates) {
    const bool is_must = candidate.request == OffloadRequest::Must || candidate.request == OffloadRequest::Permitted;
    if (!is_must || candidate.refusal == OffloadRefusal::None) continue;
    if (candidate.refusal != OffloadRefusal::NotSaved && candidate.refusal != OffloadRefusal::NotInForward) {
      refuse(candidate, phrase_for(candidate.refusal),
             "say PREFER_CPU_OFFLOAD to have it saved on its device where that is not possible");
    } else if (computes(backward, candidate.name)) {
      refuse(candidate, "the partitioner has the backward compute it",
             "the default partitioner takes for the forward what is tagged so (partitioner_tag); the min cut needs no tags");
    }
  }
  if (!refusals.empty()) throw Failure(ExitStatus::NoPartition, std::move(refusals));
}

}  // namespace

Graph wait_when_copied(Graph graph, const Settings& settings) {
  const std::vector<double> times = fused_roofline_ms(graph, device_of(settings, graph).profile);
  NodeOrder order(graph.size());
  const Users users(graph);
  std::deque<std::pair<NodeId, double>> copies;  // the waits for those that are under way, and when they end
  double now = 0, free_at = 0;
  for (std::size_t i = 0; i + 1 < graph.size(); ++i) {
    const NodeId id = node_id(i);
    if (graph[id].calls(kOffload)) {
      const auto source = node_argument(graph[id], 0);
      const std::int64_t bytes = source ? find_size(graph[*source], settings).value_or(0) : 0;
      free_at = std::max(free_at, now) + transfer_ms(bytes, settings.activation_offload_cpu_gpu_bw);
      for (const NodeId user : users.of(id)) {
        if (graph[user].calls(kWaitTensor)) copies.emplace_back(user, free_at);
      }
      continue;
    }
    if (graph[id].calls(kWaitTensor)) continue;
    now += times[i];
    for (; !copies.empty() && copies.front().second <= now; copies.pop_front()) order.put_after(id, copies.front().first);
  }
  for (const auto& [wait, end] : copies) order.put_before(node_id(graph.size() - 1), wait);
  const std::vector<NodeId> sequence = order.sequence();
  require_order(graph, sequence);
  return select_nodes(std::move(graph), sequence);
}

Graph prefetch_reloads(Graph graph, const Settings& settings, Release release) {
  const Users users(graph);
  NodeOrder order(graph.size());
  std::deque<Pending> queue;
  const DeviceProfile& device = device_of(settings, graph).profile;
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
    queue.front().remaining_ms -= compute_ms(graph, node, device, release);
    if (queue.front().remaining_ms <= 0) {
      order.put_before(id, queue.front().reload);
      queue.pop_front();
    }
  }
  const std::vector<NodeId> sequence = order.sequence();
  require_order(graph, sequence);
  return select_nodes(std::move(graph), sequence);
}

GraphPair offload(GraphPair graphs, std::vector<OffloadCandidate>& candidates, NamespacePair& names,
                  const Settings& settings, Release release) {
  const bool any = std::any_of(candidates.begin(), candidates.end(), [](const OffloadCandidate& candidate) {
    return candidate.refusal == OffloadRefusal::None;
  });
  require_musts(candidates, graphs.backward);
  if (!any) return graphs;
  const OffloadDialect dialect = dialect_of(settings);
  graphs.forward = copy_to_host(std::move(graphs.forward), candidates, names.forward, dialect);
  require_plain_names(graphs.forward, candidates);
  graphs.backward = copy_from_host(std::move(graphs.backward), graphs.forward, candidates, names.backward, dialect);
  const bool overlaps = settings.offload == Offload::Auto;  // as that decision expects
  if (dialect == OffloadDialect::Ao && settings.activation_offload_sink_wait) {
    graphs.forward = sink_waits(std::move(graphs.forward));
  } else if (dialect == OffloadDialect::Ao && overlaps) {
    graphs.forward = wait_when_copied(std::move(graphs.forward), settings);
  }
  if (dialect == OffloadDialect::Ao && (overlaps || settings.activation_reload_prefetch)) {
    graphs.backward = prefetch_reloads(std::move(graphs.backward), settings, release);
  }
  return graphs;
}

}  // namespace fxcut
