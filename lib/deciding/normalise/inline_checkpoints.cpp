#include "normalise/inline_checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "diagnostic/diagnostic.h"
#include "graph/naming.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

// The bodies of checkpointed regions; each layer of a model may have its own.
class Bodies {
 public:
  explicit Bodies(const JointGraph& joint) : graph_(joint.graph) {
    for (const auto& [name, subgraph] : joint.subgraphs) by_name_.emplace(name, &subgraph);
  }

  // The body of a region's call; null if it is not one, or has none.
  const Subgraph* of(const Node& node) const {
    const auto attribute = node.calls(kCheckpointCall) ? node_argument(node, 0) : std::nullopt;
    if (!attribute || graph_[*attribute].opcode != Opcode::GetAttr) return nullptr;
    const auto found = by_name_.find(graph_[*attribute].target);
    return found == by_name_.end() ? nullptr : found->second;
  }

 private:
  const Graph& graph_;
  std::unordered_map<std::string_view, const Subgraph*> by_name_;  // the first of equal names
};

class Inlining {
 public:
  Inlining(const JointGraph& joint, const Bodies& bodies)
      : joint_(joint), called_(bodies), rebuild_(joint.graph), names_(joint.graph) {
    for (const Node& node : joint.graph.nodes) {
      if (node.meta.ac_graph_id) next_region_ = std::max(next_region_, *node.meta.ac_graph_id + 1);
    }
  }

  // The subgraphs that the bodies' get_attr nodes refer to.
  Subgraphs take_subgraphs() { return std::move(subgraphs_); }

  Graph run() {
    for (std::size_t i = 0; i < joint_.graph.size(); ++i) {
      const NodeId id = node_id(i);
      if (const Subgraph* body = called_.of(joint_.graph[id])) {
        inline_call(id, *body);
      } else if (!replace_item(id)) {
        rebuild_.copy(id);
      }
    }
    return rebuild_.take();
  }

 private:
  void inline_call(NodeId id, const Subgraph& called) {
    const Node& call = joint_.graph[id];
    const Graph& body = called.graph;
    if (bodies_.insert(&called).second) {
      subgraphs_.insert(subgraphs_.end(), called.subgraphs.begin(), called.subgraphs.end());
    }
    std::map<NodeId, NodeId> in_graph;  // by node of the body
    std::size_t argument = 1;
    for (std::size_t i = 0; i + 1 < body.size(); ++i) {
      const Node& node = body.nodes[i];
      if (node.is_placeholder()) {
        const auto given = node_argument(call, argument++);
        if (!given) throw unlike(call, body);
        in_graph.emplace(node_id(i), rebuild_(*given));
        continue;
      }
      Node copy = node;
      copy.name = names_.create(node.name);
      for (NodeId& input : copy.inputs) input = in_graph.at(input);
      if (!copy.meta.recompute) copy.meta.recompute = CheckpointPolicy::PreferRecompute;
      copy.meta.ac_graph_id = next_region_;
      if (copy.meta.tag == PartitionerTag::None) copy.meta.tag = call.meta.tag;
      in_graph.emplace(node_id(i), rebuild_.append(std::move(copy)));
    }
    if (argument != call.arguments->positional.size()) throw unlike(call, body);
    ++next_region_;
    std::vector<NodeId>& results = results_[id];
    for (const OutputLeaf& leaf : output_leaves(body)) results.push_back(leaf.node ? in_graph.at(*leaf.node) : kNoNode);
    if (results.size() == 1) rebuild_.substitute(id, results.front());  // for users of the call's value itself
  }

  // Replaces an item of an inlined call by the body's result; false if the node is not one.
  bool replace_item(NodeId id) {
    const Node& node = joint_.graph[id];
    const auto call = node_argument(node, 0);
    const auto found = node.calls("operator.getitem") && call ? results_.find(*call) : results_.end();
    if (found == results_.end() || node.arguments->positional.size() < 2) return false;
    const auto position = static_cast<std::size_t>(node.arguments->positional[1].integer);
    if (position >= found->second.size() || found->second[position] == kNoNode) {
      throw Failure(ExitStatus::NoPartition,
                    fmt::format("'{}' takes item {} of '{}', whose body does not return that many", node.name, position,
                                joint_.graph[*call].name));
    }
    rebuild_.substitute(id, found->second[position]);
    return true;
  }

  Failure unlike(const Node& call, const Graph& body) const {
    const auto inputs =
        std::count_if(body.nodes.begin(), body.nodes.end(), [](const Node& n) { return n.is_placeholder(); });
    return Failure(ExitStatus::NoPartition,
                   fmt::format("'{}' ({}) has {} arguments after its body, which has {} inputs: expected a node for each",
                               call.name, kCheckpointCall, call.arguments->positional.size() - 1, inputs));
  }

  const JointGraph& joint_;
  const Bodies& called_;
  Rebuild rebuild_;
  Namespace names_;
  std::map<NodeId, std::vector<NodeId>> results_;  // by call: the results of its body
  std::set<const Subgraph*> bodies_;  // whose subgraphs are in subgraphs_
  Subgraphs subgraphs_;
  std::int64_t next_region_ = 0;
};

}  // namespace

JointGraph inline_checkpoints(JointGraph joint) {
  const auto& nodes = joint.graph.nodes;
  const Bodies bodies(joint);
  const auto has_body = [&](const Node& node) { return bodies.of(node) != nullptr; };
  if (std::none_of(nodes.begin(), nodes.end(), has_body)) return joint;
  Inlining inlining(joint, bodies);
  Graph graph = inlining.run();
  auto subgraphs = inlining.take_subgraphs();
  joint.graph = std::move(graph);
  std::unordered_set<std::string> taken;
  for (const auto& [name, subgraph] : joint.subgraphs) taken.insert(name);
  for (auto& nested : subgraphs) {
    if (!taken.insert(nested.name).second) {
      throw Failure(
          ExitStatus::NoPartition,
          fmt::format("the body of a checkpointed region has a subgraph '{}', and so has the graph", nested.name),
          "give one of them another name");
    }
    joint.subgraphs.push_back(std::move(nested));
  }
  return inline_checkpoints(std::move(joint));  // for calls in the bodies
}

}  // namespace fxcut
