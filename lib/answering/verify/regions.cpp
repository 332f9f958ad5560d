#include "verify/verify.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "classify/bodies.h"
#include "diagnostic/diagnostic.h"
#include "graph/naming.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

// Including bodies within bodies; an ordinary graph has about 100,000.
constexpr std::size_t kMaxNodes = 4'000'000;

using BodiesByName = std::unordered_map<std::string_view, const Subgraph*>;

const Subgraph* body_of(const Graph& graph, const Node& call, const BodiesByName& bodies) {
  const auto attribute = call.calls(kCheckpointCall) ? node_argument(call, 0) : std::nullopt;
  const bool has_name = attribute && graph[*attribute].opcode == Opcode::GetAttr;
  const auto body = has_name ? bodies.find(graph[*attribute].target) : bodies.end();
  return body == bodies.end() ? nullptr : body->second;
}

Failure misfit(const Node& node, std::string_view why = "") {
  return Failure(ExitStatus::NoPartition, fmt::format("'{}' does not fit the body of its region{}", node.name, why));
}

// Expands the regions of one level.
class Expansion {
 public:
  Expansion(const JointGraph& joint, const BodiesByName& bodies)
      : graph_(joint.graph), bodies_(bodies), expanded_(joint.graph), names_(joint.graph) {}

  Graph run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Node& node = graph_.nodes[i];
      const auto source = node.calls("operator.getitem") ? node_argument(node, 0) : std::nullopt;
      const auto results = source ? results_.find(index_of(*source)) : results_.end();
      if (const Subgraph* body = body_of(graph_, node, bodies_)) {
        expand(node_id(i), body->graph);
      } else if (results != results_.end()) {
        expanded_.substitute(node_id(i), item(node, results->second));
      } else {
        expanded_.copy(node_id(i));
      }
    }
    return expanded_.take();
  }

 private:
  void expand(NodeId id, const Graph& body) {
    const Node& call = graph_[id];
    std::vector<NodeId> copies;  // by node of the body
    std::size_t argument = 1;    // the first is the body itself
    for (const Node& node : body.nodes) {
      if (node.is_output()) break;
      if (expanded_.result().size() > kMaxNodes) throw misfit(call, "; a body may not call itself");
      if (node.is_placeholder()) {
        const auto given = node_argument(call, argument++);
        copies.push_back(given ? expanded_(*given) : throw misfit(call));
        continue;
      }
      Node copy = node;
      copy.name = names_.create(node.name);
      for (NodeId& input : copy.inputs) input = copies[index_of(input)];
      if (copy.meta.tag == PartitionerTag::None) copy.meta.tag = call.meta.tag;
      copies.push_back(expanded_.append(std::move(copy)));
    }
    if (argument != call.arguments->positional.size()) throw misfit(call);
    std::vector<NodeId>& results = results_[index_of(id)];
    for (const OutputLeaf& leaf : output_leaves(body)) {
      results.push_back(leaf.node ? copies[index_of(*leaf.node)] : kNoNode);
    }
    if (results.size() == 1) expanded_.substitute(id, results.front());  // its users may use it without a getitem
  }

  static NodeId item(const Node& getitem, const std::vector<NodeId>& results) {
    const auto& arguments = getitem.arguments->positional;
    const auto position = arguments.size() < 2 ? results.size() : static_cast<std::size_t>(arguments[1].integer);
    return position < results.size() && results[position] != kNoNode ? results[position] : throw misfit(getitem);
  }

  const Graph& graph_;
  const BodiesByName& bodies_;
  Rebuild expanded_;
  Namespace names_;
  std::unordered_map<std::size_t, std::vector<NodeId>> results_;  // by call: the results of its body
};

}  // namespace

JointGraph expand_regions(JointGraph joint) {
  while (true) {
    BodiesByName bodies;
    std::set<std::string> names;
    for (const auto& [name, subgraph] : joint.subgraphs) {
      bodies.emplace(name, &subgraph);
      names.insert(name);
    }
    std::set<const Subgraph*> called;
    Subgraphs nested;
    for (const Node& node : joint.graph.nodes) {
      const Subgraph* body = body_of(joint.graph, node, bodies);
      if (!body || !called.insert(body).second) continue;
      for (const NamedSubgraph& subgraph : body->subgraphs) {
        if (!names.insert(subgraph.name).second) throw misfit(node, ", whose subgraph's name is that of another");
        nested.push_back(subgraph);
      }
    }
    if (called.empty()) return joint;
    joint.graph = Expansion(joint, bodies).run();
    for (NamedSubgraph& subgraph : nested) joint.subgraphs.push_back(std::move(subgraph));
  }
}

}  // namespace fxcut
