#include "split/choose_held.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "classify/purity.h"
#include "classify/views_and_writes.h"
#include "cost/estimators.h"
#include "cost/fused_roofline.h"
#include "cost/size.h"
#include "solve/flow_network.h"
#include "split/split_backward.h"

namespace fxcut {
namespace {

constexpr Vertex kSource = 0, kSink = 1;

Vertex computed_vertex(NodeId id) { return static_cast<Vertex>(2 + 2 * index_of(id)); }
Vertex available_vertex(NodeId id) { return computed_vertex(id) + 1; }

std::vector<NodeId> each_input(const Node& node) {
  std::vector<NodeId> inputs(node.inputs.begin(), node.inputs.end());
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  return inputs;
}

void add_written_storages(const Graph& graph, std::set<std::int64_t>& written) {
  for (const Node& node : graph.nodes) {
    if (!node.is_call() || !writes(node)) continue;
    for (const NodeId input : written_inputs(node)) {
      if (const auto storage = graph[input].storage()) written.insert(*storage);
    }
  }
}

// The calls that may run in the other part, or in both.
class CheapCalls {
 public:
  CheapCalls(const Graph& joint, const Graph& graph) : graph_(graph) {
    for (const Graph* one : {&joint, &graph}) add_written_storages(*one, written_);
  }

  bool contains(const Node& node) const {
    if (!node.is_call() || is_impure(node) || is_written(node)) return false;
    if (std::ranges::any_of(node.inputs, [&](NodeId input) { return is_written(graph_[input]); })) return false;
    if (node.has_symbol() || node.calls("operator.getitem")) return true;
    const Operator& callee = *node.callee;
    const bool is_cheap = callee.is(Operator::Fusible) || callee.is(Operator::View);
    return callee.is_overload() && is_cheap && !is_random(node) && !draws_numbers(node);
  }

 private:
  bool is_written(const Node& node) const {
    const auto storage = node.storage();
    return storage && written_.contains(*storage);
  }

  const Graph& graph_;
  std::set<std::int64_t> written_;
};

class HoldNetwork {
 public:
  // `first`: what the first part has to compute, including its effects.
  HoldNetwork(const Graph& joint, const Graph& graph, const std::vector<OutputLeaf>& first, const std::vector<OutputLeaf>& rest,
              const DeviceProfile& device)
      : graph_(graph), cheap_(joint, graph), storages_(held_storage_bytes(joint, graph)), is_first_(needed_for(graph, first)),
        is_second_(needed_for(graph, rest)) {
    find_times(device);
    network_.vertices = 2 + 2 * graph.size();
    network_.source = kSource;
    network_.sink = kSink;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (is_first_[i] || is_second_[i]) add(node_id(i));
    }
    for (const NodeId id : returned(rest)) add_infinite(available_vertex(id), kSink);
  }

  // The nodes to hold; empty if the network has no finite cut.
  std::vector<NodeId> solve() const {
    if (!infinite_path(network_).empty()) return {};
    const std::vector<bool> on_sink_side = solve_min_cut(network_, CutSide::NearestBackward).on_sink_side;
    std::vector<NodeId> values, symbols;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const NodeId id = node_id(i);
      const bool is_computed = !is_input(graph_.nodes[i]) && on_sink_side[computed_vertex(id)];
      if (!on_sink_side[available_vertex(id)] || is_computed || graph_.nodes[i].opcode == Opcode::GetAttr) continue;
      (graph_.nodes[i].has_symbol() ? symbols : values).push_back(id);
    }
    values.insert(values.end(), symbols.begin(), symbols.end());
    return values;
  }

 private:
  static bool is_input(const Node& node) { return node.is_placeholder() || node.opcode == Opcode::GetAttr; }
  bool is_of_weights(NodeId id) const { return !is_first_[index_of(id)]; }

  static std::set<NodeId> returned(const std::vector<OutputLeaf>& leaves) {
    std::set<NodeId> nodes;
    for (const OutputLeaf& leaf : leaves) {
      if (leaf.node) nodes.insert(*leaf.node);
    }
    return nodes;
  }

  // At least 1, so that nothing is moved without a gain.
  void find_times(const DeviceProfile& device) {
    for (const double ms : fused_roofline_ms(graph_, device)) {
      picoseconds_.push_back(std::max<Int128>(picoseconds(ms), 1));
      per_byte_ += picoseconds_.back();
    }
  }

  void add_edge(Vertex from, Vertex to, Int128 capacity) { network_.edges.emplace_back(from, to, capacity); }
  void add_infinite(Vertex from, Vertex to) { network_.edges.emplace_back(from, to, 0, true); }

  void add(NodeId id) {
    const Node& node = graph_[id];
    if (node.opcode == Opcode::GetAttr || node.is_output()) return;
    if (node.is_placeholder()) return add_input(id);
    const Vertex computed = computed_vertex(id);
    const bool is_cheap = cheap_.contains(node), is_later = is_of_weights(id);
    const Vertex from = is_later ? computed : kSource, to = is_later ? kSink : computed;
    if (is_cheap) {
      add_edge(from, to, picoseconds_[index_of(id)]);
    } else {
      add_infinite(from, to);
    }
    if (node.is_call() && !node.has_tensor() && !node.has_symbol()) {
      add_infinite(computed, available_vertex(id));
    } else {
      add_edge(computed, available_vertex(id), bytes_of(node) * per_byte_);
    }
    for (const NodeId input : each_input(node)) {
      if (graph_[input].opcode == Opcode::GetAttr) continue;
      add_infinite(available_vertex(input), computed);
      if (is_later && is_of_weights(input) && graph_[input].is_call()) add_infinite(computed, computed_vertex(input));
    }
  }

  // Inputs in one storage are held together.
  void add_input(NodeId id) {
    const Node& node = graph_[id];
    const auto storage = node.storage();
    if (!storage) return add_edge(kSource, available_vertex(id), bytes_of(node) * per_byte_);
    const auto [found, is_new] = storage_vertices_.try_emplace(*storage, static_cast<Vertex>(network_.vertices));
    if (is_new) {
      ++network_.vertices;
      add_edge(kSource, found->second, bytes_of(node) * per_byte_);
    }
    add_infinite(found->second, available_vertex(id));
  }

  // The bytes that holding the value takes; 1 for a symbolic number, as in PyTorch.
  Int128 bytes_of(const Node& node) const {
    if (node.has_symbol()) return 1;
    if (!node.has_tensor() || node.meta.static_lifetime) return 0;
    const auto storage = node.storage();
    return storage ? storages_.at(*storage) : element_bytes(node.value->tensor);
  }

  const Graph& graph_;
  const CheapCalls cheap_;
  const StorageBytes storages_;
  std::vector<bool> is_first_, is_second_;  // by node
  std::vector<Int128> picoseconds_;         // by node
  Int128 per_byte_ = 1;                     // in the network's unit: more than all times together
  std::map<std::int64_t, Vertex> storage_vertices_;
  FlowNetwork network_;
};

}  // namespace

StorageBytes held_storage_bytes(const Graph& joint, const Graph& backward) {
  StorageBytes storages = storage_bytes(joint);
  for (const auto& [storage, bytes] : storage_bytes(backward)) {
    std::int64_t& largest = storages[storage];
    largest = std::max(largest, bytes);
  }
  for (const Graph* graph : {&joint, &backward}) {
    for (const Node& node : graph->nodes) {
      if (const auto storage = node.meta.static_lifetime ? node.storage() : std::nullopt) storages[*storage] = 0;
    }
  }
  return storages;
}

std::vector<NodeId> choose_held(const JointGraph& joint, const JointGraph& backward, const std::vector<bool>& of_weights,
                                const DeviceProfile& device) {
  const auto as_needed = split_backward(backward, of_weights);
  if (!as_needed) return {};
  std::vector<OutputLeaf> first, second;
  const std::vector<OutputLeaf> leaves = output_leaves(backward.graph);
  for (std::size_t i = 0; i < leaves.size(); ++i) (of_weights[i] ? second : first).push_back(leaves[i]);
  for (std::size_t i = 0; i < backward.graph.size(); ++i) {
    if (backward.graph.nodes[i].is_call() && is_impure(backward.graph.nodes[i])) first.push_back({node_id(i), nullptr});
  }
  std::vector<NodeId> held = HoldNetwork(joint.graph, backward.graph, first, second, device).solve();
  const StorageBytes storages = held_storage_bytes(joint.graph, backward.graph);
  const auto bytes_of = [&](const std::vector<NodeId>& nodes) { return bytes_not_static(backward.graph, storages, nodes); };
  return bytes_of(held) < bytes_of(as_needed->held) ? held : std::vector<NodeId>{};
}

}  // namespace fxcut
