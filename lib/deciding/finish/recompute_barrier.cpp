#include "finish/recompute_barrier.h"

#include <map>
#include <memory>
#include <set>
#include <utility>

#include "classify/operator_table.h"
#include "classify/purity.h"
#include "finish/rng_wrappers.h"
#include "graph/disjoint_sets.h"
#include "graph/editing.h"

namespace fxcut {
namespace {

// The connected components of recomputed nodes, over the edges between them.
DisjointSets connected(const Graph& graph, const std::vector<bool>& is_recomputed) {
  DisjointSets components(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!is_recomputed[i]) continue;
    for (const NodeId input : graph.nodes[i].inputs) {
      if (is_recomputed[index_of(input)]) components.join(i, index_of(input));
    }
  }
  return components;
}

struct Region {
  std::vector<NodeId> nodes;
  std::vector<NodeId> inputs;  // tensors before the region, in the order of their first use
};

std::vector<Region> find_regions(const Graph& graph, const std::vector<bool>& is_recomputed) {
  DisjointSets regions = connected(graph, is_recomputed);
  std::map<std::size_t, Region> by_root;
  std::map<std::size_t, std::set<NodeId>> seen;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!is_recomputed[i]) continue;
    const std::size_t root = regions.find(i);
    Region& region = by_root[root];
    region.nodes.push_back(node_id(i));
    for (const NodeId input : graph.nodes[i].inputs) {
      // A later input belongs to the backward alone, for example one that a control_deps call waits for.
      const bool is_outside = !is_recomputed[index_of(input)] && input < region.nodes.front();
      if (is_outside && graph[input].has_tensor() && seen[root].insert(input).second) region.inputs.push_back(input);
    }
  }
  std::vector<Region> found;
  for (auto& [root, region] : by_root) {
    if (!region.inputs.empty()) found.push_back(std::move(region));
  }
  return found;
}

Node make_barrier(const Graph& graph, const std::vector<NodeId>& inputs, const Operator& callee, std::string name) {
  Node barrier;
  barrier.name = std::move(name);
  barrier.callee = &callee;
  auto arguments = std::make_shared<Arguments>();
  Argument& list = arguments->positional.emplace_back();
  list.kind = Argument::Kind::List;
  Value values;
  values.kind = Value::Kind::Tuple;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    list.items.push_back(reference_to_input(i));
    values.items.push_back(*graph[inputs[i]].value);
  }
  barrier.arguments = std::move(arguments);
  barrier.inputs = inputs;
  barrier.value = std::make_shared<const Value>(std::move(values));
  return barrier;
}

}  // namespace

std::vector<bool> find_recomputed(const Graph& forward, const Graph& backward) {
  std::set<std::pair<std::string_view, std::uint32_t>> calls;
  for (const Node& node : forward.nodes) {
    if (node.is_call()) calls.emplace(node.name, node.origin);
  }
  std::vector<bool> recomputed(backward.size(), false);
  for (std::size_t i = 0; i < backward.size(); ++i) {
    const Node& node = backward.nodes[i];
    // A recomputed random operator is in a wrapper without a counterpart in the forward.
    recomputed[i] = runs_under_given_state(node) || (node.is_call() && calls.contains({node.name, node.origin}));
  }
  return recomputed;
}

Graph insert_barriers(Graph backward, const std::vector<bool>& is_recomputed, const std::string& barrier_operator,
                   Namespace& names) {
  const auto callee = std::make_shared<const Operator>(make_operator(barrier_operator));
  const std::vector<Region> regions = find_regions(backward, is_recomputed);
  if (regions.empty()) return backward;
  Editing editing(std::move(backward));
  editing.graph.operators =
      std::make_shared<const std::pair<std::shared_ptr<const void>, std::shared_ptr<const Operator>>>(
          editing.graph.operators, callee);
  const std::string base_name = callee->packet.substr(callee->packet.rfind('.') + 1);
  for (const Region& region : regions) {
    Node barrier = make_barrier(editing.graph, region.inputs, *callee, names.create(base_name));
    const NodeId id = editing.add_before(region.nodes.front(), std::move(barrier));
    std::map<NodeId, NodeId> after_barrier;
    NodeId last = id;
    for (std::size_t i = 0; i < region.inputs.size(); ++i) {
      Node item = make_getitem(id, static_cast<std::int64_t>(i), names.create("getitem"));
      item.value = editing.graph[region.inputs[i]].value;
      last = editing.add_after(last, std::move(item));
      after_barrier.emplace(region.inputs[i], last);
    }
    for (const NodeId node : region.nodes) {
      for (NodeId& input : editing.graph[node].inputs) {
        if (const auto found = after_barrier.find(input); found != after_barrier.end()) input = found->second;
      }
    }
  }
  return editing.take();
}

}  // namespace fxcut
