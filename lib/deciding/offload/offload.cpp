#include "offload/offload.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "classify/host_copies.h"
#include "cost/estimators.h"
#include "diagnostic/diagnostic.h"
#include "graph/editing.h"
#include "graph/rebuild.h"
#include "offload/copy_durations.h"
#include "offload/copy_times.h"
#include "offload/sides.h"

namespace fxcut {
namespace {

// A copy that is not placed yet, and the part of its time that is not yet covered by computation.
struct Pending {
  NodeId reload;
  double remaining_ms;
};

// The wait for a copy.
std::optional<NodeId> wait_for(const Graph& graph, const Users& users, NodeId copy) {
  for (const NodeId user : users.of(copy)) {
    if (graph[user].calls(kWaitTensor)) return user;
  }
  return std::nullopt;
}

// The clock at the start of each node and after the last. Copies run concurrently with computation.
std::vector<double> begins_of_nodes(const Graph& graph, const Settings& settings, Release release) {
  const auto runtime_of = estimator_of_frontier(settings).runtime(graph, settings, release);
  std::vector<double> begins = {0};
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    const bool computes = node.is_call() && !is_host_copy(node) && !node.calls(kWaitTensor);
    begins.push_back(begins.back() + (computes ? runtime_of(node_id(i)).value_or(0) : 0));
  }
  return begins;
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

Graph ordered(Graph graph, const NodeOrder& order) {
  const std::vector<NodeId> sequence = order.sequence();
  require_order(graph, sequence);
  return select_nodes(std::move(graph), sequence);
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

// Older releases copy on streams that are values of the graph, and their numbers depend on what the process did before.
void require_calls_that_wait(const std::vector<OffloadCandidate>& candidates, const Settings& settings, Release release) {
  if (!settings.activation_offload_separate_stream || release.has(Change::AsyncCopiesAreTwoCalls)) return;
  const auto copied = std::ranges::find(candidates, OffloadRefusal::None, &OffloadCandidate::refusal);
  throw Failure(
      ExitStatus::NoPartition,
      fmt::format("'{}' would be copied on a stream of its own, which PyTorch {} numbers by what the process did before: "
                  "its graphs cannot be foretold",
                  copied->name, release.version()),
      "set activation_offload_separate_stream to false, or offload_dialect to ao");
}

}  // namespace

Graph wait_when_copied(Graph graph, const Settings& settings, Release release) {
  const std::vector<double> begins = begins_of_nodes(graph, settings, release);
  const Users users(graph);
  std::vector<NodeId> waits;
  std::vector<CopyTime> copies;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!graph.nodes[i].calls(kOffload)) continue;
    const auto wait = wait_for(graph, users, node_id(i));
    if (!wait) continue;
    waits.push_back(*wait);
    copies.push_back({begins[i], copy_ms(graph, graph.nodes[i], settings)});
  }
  const std::vector<double> ends = ends_of_copies(copies);
  NodeOrder order(graph.size());
  for (std::size_t k = 0; k < waits.size(); ++k) {
    // The first node that ends no earlier.
    const auto end = std::ranges::lower_bound(begins.begin() + 1, begins.end(), ends[k]);
    const auto node = std::max(static_cast<std::size_t>(end - begins.begin()) - 1, index_of(waits[k]));
    if (node + 1 < graph.size()) {
      if (node != index_of(waits[k])) order.put_after(node_id(node), waits[k]);
    } else {
      order.put_before(node_id(graph.size() - 1), waits[k]);
    }
  }
  return ordered(std::move(graph), order);
}

Graph reload_just_in_time(Graph graph, const Settings& settings, Release release) {
  const std::vector<double> begins = begins_of_nodes(graph, settings, release);
  const Users users(graph);
  std::vector<NodeId> reloads, waits;
  std::vector<CopyTime> copies;
  std::size_t first = 0;  // after the inputs
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].is_placeholder()) first = i + 1;
    if (!graph.nodes[i].calls(kReload)) continue;
    const auto wait = wait_for(graph, users, node_id(i));
    if (!wait) continue;
    reloads.push_back(node_id(i));
    copies.push_back({begins[i], copy_ms(graph, graph.nodes[i], settings)});
  }
  const std::vector<double> starts = latest_reloads(copies).begins;
  NodeOrder order(graph.size());
  for (std::size_t k = 0; k < reloads.size(); ++k) {
    // The last node that starts no later.
    const auto after = std::ranges::upper_bound(begins, starts[k]);
    const auto node = std::max(static_cast<std::size_t>(after - begins.begin()) - 1, first);
    if (node < index_of(reloads[k])) order.put_before(node_id(node), reloads[k]);
  }
  return ordered(std::move(graph), order);
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
    if (node.calls(kReload) && wait_for(graph, users, id)) {
      queue.push_back({id, copy_ms(graph, node, settings)});
      continue;
    }
    if (queue.empty()) continue;
    queue.front().remaining_ms -= compute_ms(graph, node, device, release);
    if (queue.front().remaining_ms <= 0) {
      order.put_before(id, queue.front().reload);
      queue.pop_front();
    }
  }
  return ordered(std::move(graph), order);
}

GraphPair offload(GraphPair graphs, std::vector<OffloadCandidate>& candidates, NamespacePair& names,
                  const Settings& settings, Release release) {
  const bool any = std::any_of(candidates.begin(), candidates.end(), [](const OffloadCandidate& candidate) {
    return candidate.refusal == OffloadRefusal::None;
  });
  require_musts(candidates, graphs.backward);
  if (!any) return graphs;
  require_calls_that_wait(candidates, settings, release);
  const OffloadDialect dialect = dialect_of(settings);
  graphs.forward = copy_to_host(std::move(graphs.forward), candidates, names.forward, dialect);
  require_plain_names(graphs.forward, candidates);
  graphs.backward = copy_from_host(std::move(graphs.backward), graphs.forward, candidates, names.backward, dialect, release);
  if (dialect != OffloadDialect::Ao) return graphs;
  const bool is_decided = settings.offload == Offload::Auto;  // by a solver that expects copies at these times
  if (settings.activation_offload_sink_wait) {
    graphs.forward = sink_waits(std::move(graphs.forward));
  } else if (is_decided) {
    graphs.forward = wait_when_copied(std::move(graphs.forward), settings, release);
  }
  if (is_decided) {
    graphs.backward = reload_just_in_time(std::move(graphs.backward), settings, release);
  } else if (settings.activation_reload_prefetch) {
    graphs.backward = prefetch_reloads(std::move(graphs.backward), settings, release);
  }
  return graphs;
}

}  // namespace fxcut
