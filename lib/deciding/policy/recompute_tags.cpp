#include "policy/recompute_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

constexpr auto kMustSave = CheckpointPolicy::MustSave;

bool is_getitem(const Node& node) { return node.calls("operator.getitem"); }

}  // namespace

std::size_t count_recomputable_ops(const Graph& graph) {
  return static_cast<std::size_t>(
      std::count_if(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) { return node.must_recompute(); }));
}

bool has_recomputable_ops(const Graph& graph) { return count_recomputable_ops(graph) > 0; }

bool has_recomputable_rng_ops(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(),
                     [](const Node& node) { return node.must_recompute() && is_random(node); });
}

namespace {

// Older releases look up the numbers of two adjacent nodes' regions, and fail if there is none.
void require_numbers(const Graph& graph, const Users& users) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!node.must_recompute()) continue;
    for (const NodeId user : users.of(i)) {
      const Node& taker = graph[user];
      if (!taker.must_recompute() || (node.meta.ac_graph_id && taker.meta.ac_graph_id)) continue;
      throw Failure(
          ExitStatus::NoPartition,
          fmt::format("'{}' and its user '{}' are both to be recomputed, and one has no ac_graph_id: this release of PyTorch "
                      "cannot tell whether they are in one region",
                      node.name, taker.name),
          "give each node that is tagged to be recomputed an ac_graph_id");
    }
  }
}

}  // namespace

void resolve_recompute_tags(JointGraph& joint, const Users& users, const Settings& settings, Partitioner partitioner,
                            bool has_policies) {
  Graph& graph = joint.graph;
  const Release release = joint.torch.release;
  if (partitioner == Partitioner::Default && !release.has(Change::DefaultKeepsPlacement)) return;
  if (!has_policies && !release.has(Change::RegionsNeedNoNumber)) require_numbers(graph, users);
  if (has_recomputable_ops(graph)) cleanup_recompute_tags(graph, users, partitioner, release);
  if (!settings.unsafe_allow_optimization_of_collectives) force_save_collectives(graph, users, release);
  if (release.has(Change::EffectsAreForcedSaved)) force_save_effectful_ops(graph, users, release);
  if (release.has(Change::BackwardMutationSourcesAreSaved)) force_save_backward_mutation_source(graph);
}

namespace {

// Whether a recomputed node is at a border where its value is saved nevertheless.
bool ends_region(const Graph& graph, const Node& node, std::span<const NodeId> takers, Release release) {
  const auto recomputed = [&](NodeId user) { return graph[user].must_recompute(); };
  const bool meets_next = std::any_of(takers.begin(), takers.end(), [&](NodeId user) {
    return recomputed(user) && node.meta.ac_graph_id && graph[user].meta.ac_graph_id > node.meta.ac_graph_id;
  });
  const bool is_hooked = node.meta.has_backward_hook && release.has(Change::HookedOutputsAreSaved);
  return meets_next || (is_hooked && std::none_of(takers.begin(), takers.end(), recomputed));
}

// Whether a node outside of all regions is used by one.
bool enters_region(const Graph& graph, const Node& node, std::span<const NodeId> takers) {
  if (node.meta.ac_graph_id) return false;
  const auto recomputed = [&](NodeId user) { return graph[user].must_recompute(); };
  if (std::none_of(takers.begin(), takers.end(), recomputed)) return false;
  // An item of a region's tuple belongs to the region, tagged or not.
  const auto tuple = is_getitem(node) ? node_argument(node, 0) : std::nullopt;
  return !(tuple && !graph[*tuple].has_tensor() && !graph[*tuple].tensor_meta && graph[*tuple].meta.ac_graph_id);
}

}  // namespace

void cleanup_recompute_tags(Graph& graph, const Users& users, Partitioner partitioner, Release release) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    Node& node = graph.nodes[i];
    const bool is_saved = node.must_recompute()
                              ? ends_region(graph, node, users.of(i), release)
                              : partitioner == Partitioner::Default && enters_region(graph, node, users.of(i));
    if (!is_saved) continue;
    node.meta.saved_at_border = node.must_recompute();
    node.meta.recompute = kMustSave;
  }
}

namespace {

bool is_tuple(const Node& node) { return node.value && node.value->kind == Value::Kind::Tuple; }

// The items of the node's tuple, and of tuples in it.
std::vector<NodeId> taken_out_of(const Graph& graph, const Users& users, NodeId tuple) {
  std::vector<NodeId> items, open = {tuple};
  std::set<NodeId> seen;  // a key may be an item, too
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    for (const NodeId user : users.of(id)) {
      if (!is_getitem(graph[user]) || !seen.insert(user).second) continue;
      open.push_back(user);
      items.push_back(user);
    }
  }
  return items;
}

void save_items(Graph& graph, const Users& users, NodeId tuple) {
  for (const NodeId item : taken_out_of(graph, users, tuple)) {
    if (!is_tuple(graph[item])) graph[item].meta.recompute = kMustSave;
  }
}

// Saves the node, or the innermost items of its tuple.
void save_leaves(Graph& graph, const Users& users, NodeId root) {
  std::vector<NodeId> all = taken_out_of(graph, users, root);
  all.push_back(root);
  for (const NodeId id : all) {
    const auto takers = users.of(id);
    const bool is_taken_apart =
        std::any_of(takers.begin(), takers.end(), [&](NodeId user) { return is_getitem(graph[user]); });
    if (!is_taken_apart && !is_tuple(graph[id])) graph[id].meta.recompute = kMustSave;
  }
}

}  // namespace

void force_save_collectives(Graph& graph, const Users& users, Release release) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    Node& node = graph.nodes[i];
    if (!node.is_call() || !node.callee->is_collective() || node.must_recompute()) continue;
    if (release.has(Change::ItemsOfCollectivesAreSaved)) {
      save_leaves(graph, users, node_id(i));
    } else {
      node.meta.recompute = kMustSave;
    }
  }
}

void force_save_effectful_ops(Graph& graph, const Users& users, Release release) {
  const bool always = release.has(Change::EffectsAreNeverRecomputed);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!node.calls("higher_order.with_effects") || node.meta.tag == PartitionerTag::IsBackward) continue;
    if (always && node.meta.recompute == CheckpointPolicy::MustRecompute) {
      throw Failure(
          ExitStatus::NoPartition,
          fmt::format("'{}' has an effect and must be recomputed: a forward effect cannot join the backward's "
                      "chain of tokens",
                      node.name),
          "drop its MUST_RECOMPUTE, or keep the effect out of the checkpointed region");
    }
    if (always || !node.must_recompute()) save_items(graph, users, node_id(i));
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
