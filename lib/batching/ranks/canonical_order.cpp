#include "ranks/canonical_order.h"

#include <algorithm>
#include <compare>
#include <queue>
#include <string_view>
#include <utility>

#include "graph/hash128.h"

namespace fxcut {
namespace {

using Cone = std::pair<std::uint64_t, std::uint64_t>;

// An input by its dtype; everything else by its target.
std::string_view label_of(const Node& node) {
  if (node.is_call()) return node.callee->target;
  if (node.opcode == Opcode::GetAttr) return node.target;
  if (node.is_output()) return "";
  if (node.has_tensor()) return node.value->tensor.dtype ? std::string_view(node.value->tensor.dtype->name) : "tensor";
  return node.has_symbol() ? "symint" : "";
}

std::vector<NodeId> distinct_inputs(const Node& node) {
  std::vector<NodeId> inputs;
  for (const NodeId input : node.inputs) {
    if (std::find(inputs.begin(), inputs.end(), input) == inputs.end()) inputs.push_back(input);
  }
  return inputs;
}

// From the last node to the first, each adds its cone and the argument position to its inputs. The position of a gradient in the
// output does not count: gradients are in the order of the inputs, which differs by rank.
std::vector<Cone> cones_of(const Graph& graph) {
  std::vector<Cone> cones(graph.size());
  std::vector<std::vector<Cone>> users(graph.size());
  for (std::size_t i = graph.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    std::sort(users[i].begin(), users[i].end());
    Hash128 hash;
    hash.add(static_cast<std::uint64_t>(node.opcode));
    hash.add(label_of(node));
    for (const auto& [low, high] : users[i]) {
      hash.add(low);
      hash.add(high);
    }
    cones[i] = {hash.low(), hash.high()};
    users[i] = {};
    for (std::size_t place = 0; place < node.inputs.size(); ++place) {
      Hash128 use = hash;
      use.add(static_cast<std::uint64_t>(node.is_output() ? 0 : place));
      users[index_of(node.inputs[place])].emplace_back(use.low(), use.high());
    }
  }
  return cones;
}

struct Key {
  Opcode kind;
  std::string_view label;
  Cone cone;                         // of an input
  std::vector<std::uint32_t> places; // of a call's inputs
  std::size_t arrival;

  auto operator<=>(const Key&) const = default;
};

class Ordering {
 public:
  explicit Ordering(const Graph& graph)
      : graph_(graph), users_(graph), cones_(cones_of(graph)), waits_for_(graph.size()), place_(graph.size()) {}

  CanonicalOrder order() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      waits_for_[i] = distinct_inputs(graph_.nodes[i]).size();
      if (waits_for_[i] == 0) add_ready(node_id(i));
    }
    CanonicalOrder result;
    Hash128 structure;
    while (!ready_.empty()) {
      const auto [key, id] = ready_.top();
      ready_.pop();
      place_[index_of(id)] = static_cast<std::uint32_t>(result.nodes.size());
      result.nodes.push_back(id);
      add_node(structure, graph_[id]);
      for (const NodeId user : users_.of(id)) {
        if (--waits_for_[index_of(user)] == 0) add_ready(user);
      }
    }
    result.structure = structure.text();
    return result;
  }

 private:
  using Entry = std::pair<Key, NodeId>;

  void add_ready(NodeId id) {
    const Node& node = graph_[id];
    Key key{node.opcode, label_of(node), {}, {}, arrivals_++};
    if (node.is_placeholder()) key.cone = cones_[index_of(id)];
    if (node.is_call()) {
      for (const NodeId input : distinct_inputs(node)) key.places.push_back(place_[index_of(input)]);
    }
    ready_.push({std::move(key), id});
  }

  void add_node(Hash128& structure, const Node& node) const {
    std::vector<std::uint32_t> places;
    for (const NodeId input : node.inputs) places.push_back(place_[index_of(input)]);
    if (node.is_output()) std::sort(places.begin(), places.end());
    structure.add(static_cast<std::uint64_t>(node.opcode));
    structure.add(label_of(node));
    for (const std::uint32_t place : places) structure.add(static_cast<std::uint64_t>(place));
  }

  const Graph& graph_;
  const Users users_;
  const std::vector<Cone> cones_;
  std::vector<std::size_t> waits_for_;  // by node: the number of its inputs without a place
  std::vector<std::uint32_t> place_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready_;
  std::size_t arrivals_ = 0;
};

}  // namespace

CanonicalOrder canonical_order(const Graph& graph) { return Ordering(graph).order(); }

}  // namespace fxcut
