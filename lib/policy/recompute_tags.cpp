#include "policy/recompute_tags.h"

#include <algorithm>
#include <set>

#include "classify/purity.h"

namespace fxcut {
namespace {

constexpr auto kMustSave = CheckpointPolicy::MustSave;

bool is_getitem(const Node& node) { return node.calls("operator.getitem"); }

}  // namespace

bool has_recomputable_ops(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) { return node.must_recompute(); });
}

bool has_recomputable_rng_ops(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const Node& node) { return node.must_recompute() && is_random(node); });
}

Graph resolve_recompute_tags(Graph graph, const Settings& settings) {
  const Users users(graph);
  if (has_recomputable_ops(graph)) cleanup_recompute_tags(graph, users);
  if (!settings.unsafe_allow_optimization_of_collectives) force_save_collectives(graph);
  force_save_effectful_ops(graph, users);
  force_save_backward_mutation_source(graph);
  return graph;
}

void cleanup_recompute_tags(Graph& graph, const Users& users) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    Node& node = graph.nodes[i];
    if (!node.must_recompute()) continue;
    const auto takers = users.of(i);
    const auto recomputed = [&](NodeId user) { return graph[user].must_recompute(); };
    const bool ends_region = std::any_of(takers.begin(), takers.end(), [&](NodeId user) {
      return recomputed(user) && node.meta.ac_graph_id && graph[user].meta.ac_graph_id > node.meta.ac_graph_id;
    });
    const bool hooked = node.meta.has_backward_hook && std::none_of(takers.begin(), takers.end(), recomputed);
    if (ends_region || hooked) node.meta.recompute = kMustSave;
  }
}

void save_inputs_of_regions(Graph& graph, const Users& users) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    Node& node = graph.nodes[i];
    if (node.must_recompute() || node.meta.ac_graph_id) continue;
    const auto takers = users.of(i);
    if (std::none_of(takers.begin(), takers.end(), [&](NodeId user) { return graph[user].must_recompute(); })) continue;
    // An item of a region's tuple belongs to the region, tagged or not.
    const auto tuple = is_getitem(node) ? node_argument(node, 0) : std::nullopt;
    const bool is_item_of_region = tuple && !graph[*tuple].has_tensor() && graph[*tuple].meta.ac_graph_id;
    if (!is_item_of_region) node.meta.recompute = kMustSave;
  }
}

void force_save_collectives(Graph& graph) {
  for (Node& node : graph.nodes) {
    if (node.is_call() && node.callee->is_collective() && !node.must_recompute()) node.meta.recompute = kMustSave;
  }
}

namespace {

// getitem may nest: a token and a result, which may be a tuple itself.
void force_save_items(Graph& graph, const Users& users, NodeId effectful) {
  std::vector<NodeId> open = {effectful};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    for (const NodeId user : users.of(id)) {
      Node& item = graph[user];
      if (!is_getitem(item)) continue;
      open.push_back(user);
      if (!item.value || item.value->kind != Value::Kind::Tuple) item.meta.recompute = kMustSave;
    }
  }
}

}  // namespace

void force_save_effectful_ops(Graph& graph, const Users& users) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (node.calls("higher_order.with_effects") && !node.must_recompute() && node.meta.tag != PartitionerTag::IsBackward) {
      force_save_items(graph, users, node_id(i));
    }
  }
}

void force_save_backward_mutation_source(Graph& graph) {
  // AOTAutograd emits copy_ at the end of the graph only.
  std::set<NodeId> written_in_backward;
  for (std::size_t i = graph.size() - 1; i-- > 0;) {
    const Node& node = graph.nodes[i];
    if (!node.calls("aten.copy_.default")) return;
    const auto destination = node_argument(node, 0), source = node_argument(node, 1);
    if (!destination || !source) continue;
    if (node.meta.tag == PartitionerTag::MustBeInBackward) written_in_backward.insert(*destination);
    if (node.meta.tag == PartitionerTag::MustBeInForward && written_in_backward.contains(*destination)) {
      graph[*source].meta.recompute = kMustSave;
    }
  }
}

}  // namespace fxcut
