#include "extract/control_deps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "diagnostic/diagnostic.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

constexpr std::size_t kFirstDep = 2;  // after the additional nodes and the subgraph

// PyTorch's torch._functorch._aot_autograd.streams._SYNC_OPS.
constexpr std::array<std::string_view, 6> kSyncOps = {
    "streams.record_event.default",      "streams.wait_event.default",         "streams.wait_stream.default",
    "streams.synchronize_event.default", "streams.synchronize_device.default", "streams.synchronize_stream.default",
};

const Subgraph& subgraph_of(const JointGraph& joint, const Node& call) {
  if (const Subgraph* found = find_subgraph(joint, call, 1)) return *found;
  throw Failure(
      ExitStatus::NoPartition,
      fmt::format("the second argument of '{}' is not a subgraph, so the nodes that it runs are unknown", call.name),
      "control_deps takes a tuple of nodes, then the get_attr of one of the graph's subgraphs, then its deps");
}

// For each node of the subgraph: whether it is a placeholder of a missing dep.
std::vector<bool> find_dropped(const Graph& graph, const std::vector<std::size_t>& deps) {
  std::vector<bool> dropped(graph.size(), false);
  std::size_t position = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!graph.nodes[i].is_placeholder()) continue;
    dropped[i] = !std::binary_search(deps.begin(), deps.end(), position++);
  }
  return dropped;
}

// Whether the subgraph has calls, and none of them uses a dropped placeholder.
bool can_keep_operation(const Graph& graph, const std::vector<bool>& dropped) {
  bool has_call = false;
  for (const Node& node : graph.nodes) {
    if (!node.is_call()) continue;
    has_call = true;
    if (std::any_of(node.inputs.begin(), node.inputs.end(), [&](NodeId input) { return dropped[index_of(input)]; })) {
      return false;
    }
  }
  return has_call;
}

// The subgraph without the dropped placeholders, which are also removed from its outputs.
Graph without_dropped(const Graph& graph, const std::vector<bool>& dropped) {
  Rebuild rebuild(graph);
  for (std::size_t i = 0; i + 1 < graph.size(); ++i) {
    if (!dropped[i]) rebuild.copy(node_id(i));
  }
  std::vector<OutputLeaf> leaves = output_leaves(graph);
  std::erase_if(leaves, [&](const OutputLeaf& leaf) { return leaf.node && dropped[index_of(*leaf.node)]; });
  Node output = returning(graph.output(), rebuild.translated(std::move(leaves)));
  const auto& returned = graph.output().arguments->positional;
  const bool returns_one_node = returned.size() == 1 && returned.front().kind == Argument::Kind::Node;
  if (returns_one_node && output.inputs.size() == 1) output.arguments = graph.output().arguments;  // not in a tuple
  rebuild.append(std::move(output));
  return rebuild.take();
}

// A subgraph that only returns None and then its placeholders.
Graph pass_through(const Graph& graph, std::size_t num_deps) {
  Graph result;
  result.operators = graph.operators;
  const Argument none;
  std::vector<OutputLeaf> leaves = {{std::nullopt, &none}};
  for (std::size_t i = 0; i < num_deps; ++i) {
    Node node;
    node.opcode = Opcode::Placeholder;
    node.name = node.target = "dep_" + std::to_string(i);
    node.arguments = std::make_shared<const Arguments>();
    leaves.push_back({node_id(i), nullptr});
    result.nodes.push_back(std::move(node));
  }
  Node output = returning(graph.output(), leaves);
  output.origin = kNoOrigin;
  result.nodes.push_back(std::move(output));
  return result;
}

}  // namespace

std::optional<std::int64_t> RebuiltControlDeps::new_position(std::int64_t position) const {
  if (position == 0) return keeps_operation ? std::optional<std::int64_t>(0) : std::nullopt;
  if (position < 0) return std::nullopt;
  const auto dep = static_cast<std::size_t>(position - 1);
  const auto found = std::lower_bound(deps.begin(), deps.end(), dep);  // they are in order
  if (found == deps.end() || *found != dep) return std::nullopt;
  return found - deps.begin() + 1;
}

std::optional<NodeId> dep_at(const Node& call, std::int64_t position) {
  if (position < 1) return std::nullopt;
  return node_argument(call, kFirstDep + static_cast<std::size_t>(position) - 1);
}

bool synchronises(const JointGraph& joint, const Node& call) {
  const auto& nodes = subgraph_of(joint, call).graph.nodes;
  return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
    return node.is_call() &&
           std::find(kSyncOps.begin(), kSyncOps.end(), node.callee->target) != kSyncOps.end();
  });
}

std::optional<RebuiltControlDeps> rebuild_control_deps(const JointGraph& joint, NodeId id,
                                                       const std::vector<bool>& available) {
  const Node& call = joint.graph[id];
  const Graph& subgraph = subgraph_of(joint, call).graph;
  RebuiltControlDeps rebuilt;
  for (const Argument& additional : call.arguments->positional.front().items) {
    if (additional.kind != Argument::Kind::Node) continue;
    const NodeId input = call.inputs[additional.index];
    if (available[index_of(input)]) rebuilt.inputs.push_back(input);
  }
  rebuilt.num_additional = rebuilt.inputs.size();
  for (std::size_t i = 0; i + kFirstDep < call.arguments->positional.size(); ++i) {
    const auto dep = node_argument(call, i + kFirstDep);
    if (!dep || !available[index_of(*dep)]) continue;
    rebuilt.deps.push_back(i);
    rebuilt.inputs.push_back(*dep);
  }
  if (rebuilt.deps.empty()) return std::nullopt;
  rebuilt.keeps_operation = can_keep_operation(subgraph, find_dropped(subgraph, rebuilt.deps));
  return rebuilt;
}

Subgraph rebuilt_subgraph(const JointGraph& joint, NodeId call, const RebuiltControlDeps& rebuilt) {
  const Subgraph& original = subgraph_of(joint, joint.graph[call]);
  if (rebuilt.keeps_operation && !attribute_names(original.graph).empty()) {
    throw Failure(
        ExitStatus::NoPartition,
        fmt::format("'{}' uses values of the forward and of the backward, so it must be split, but its subgraph "
                    "refers to '{}', which a part of it would lack",
                    joint.graph[call].name, *attribute_names(original.graph).begin()),
        "pass the constant as an input of control_deps");
  }
  if (!rebuilt.keeps_operation) return {pass_through(original.graph, rebuilt.deps.size()), {}, kNoOrigin};
  return {without_dropped(original.graph, find_dropped(original.graph, rebuilt.deps)), original.subgraphs,
          original.origin};
}

std::shared_ptr<const Value> rebuilt_value(const Node& call, const RebuiltControlDeps& rebuilt) {
  if (!call.value || call.value->kind != Value::Kind::Tuple || call.value->items.empty()) return call.value;
  Value value;
  value.kind = Value::Kind::Tuple;
  value.items.push_back(call.value->items.front());
  for (const std::size_t dep : rebuilt.deps) {
    if (dep + 1 < call.value->items.size()) value.items.push_back(call.value->items[dep + 1]);
  }
  return std::make_shared<const Value>(std::move(value));
}

std::vector<std::string> rebuilt_subgraph_names(const JointGraph& joint, std::size_t rebuilt_before, std::size_t count) {
  if (count == 0) return {};
  const std::string base = "subgraph_cd_extract";
  std::set<std::string_view> taken = attribute_names(joint.graph);
  for (const auto& [name, subgraph] : joint.subgraphs) taken.insert(name);
  std::vector<std::string> names;
  std::string name = base;
  for (std::size_t number = 0; names.size() < rebuilt_before + count; ++number) {
    if (!taken.contains(name)) names.push_back(name);
    name = base + "_" + std::to_string(number);
  }
  names.erase(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(rebuilt_before));
  return names;
}

}  // namespace fxcut
