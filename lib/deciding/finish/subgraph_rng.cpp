#include "finish/subgraph_rng.h"

#include <map>

#include "graph/rebuild.h"

namespace fxcut {
namespace {

// The placeholders of the called subgraph for generators.
std::vector<const Node*> expected_generators(const Graph& graph, const Node& call,
                                             const std::map<std::string_view, const Subgraph*>& subgraphs,
                                             std::string_view prefix) {
  std::vector<const Node*> expected;
  if (!call.calls("higher_order.invoke_subgraph") || call.inputs.empty()) return expected;
  const auto found = subgraphs.find(graph[call.inputs.front()].target);
  if (found == subgraphs.end()) return expected;
  for (const Node& node : found->second->graph.nodes) {
    if (node.is_placeholder() && node.name.find(prefix) != std::string::npos) expected.push_back(&node);
  }
  return expected;
}

// The call with more inputs. Like PyTorch's, it is a new node with a new name.
Node extend(Node call, const std::vector<NodeId>& generators, std::string name) {
  auto arguments = std::make_shared<Arguments>(*call.arguments);
  for (const NodeId generator : generators) {
    arguments->positional.push_back(reference_to_input(call.inputs.size()));
    call.inputs.push_back(generator);
  }
  call.arguments = std::move(arguments);
  call.name = std::move(name);
  return call;
}

}  // namespace

Graph pass_generators(Graph graph, const Subgraphs& subgraphs, std::string_view prefix, Namespace names) {
  std::map<std::string_view, const Subgraph*> by_name;
  for (const auto& [name, subgraph] : subgraphs) by_name.emplace(name, &subgraph);
  std::map<std::size_t, std::vector<const Node*>> expected;  // by call
  std::size_t last_input = graph.size();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (graph.nodes[i].is_placeholder()) last_input = i;
    auto generators = expected_generators(graph, graph.nodes[i], by_name, prefix);
    if (!generators.empty()) expected.emplace(i, std::move(generators));
  }
  if (expected.empty() || last_input == graph.size()) return graph;

  Rebuild rebuild(graph);
  std::map<std::size_t, std::vector<NodeId>> passed;
  std::map<std::size_t, std::string> new_names;
  const auto add_placeholders = [&] {
    std::size_t count = 0;
    for (const auto& [call, generators] : expected) {
      for (const Node* generator : generators) {
        Node node = *generator;
        node.target = std::string(prefix) + "_" + std::to_string(count++);
        node.name = names.create(node.target);
        passed[call].push_back(rebuild.append(std::move(node)));
      }
      new_names[call] = names.create(graph.nodes[call].callee->base_name);
    }
  };
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const NodeId copy = rebuild.copy(node_id(i));
    if (const auto found = passed.find(i); found != passed.end()) {
      Node& node = rebuild.result()[copy];
      node = extend(std::move(node), found->second, new_names.at(i));
    }
    if (i == last_input) add_placeholders();
  }
  return rebuild.take();
}

}  // namespace fxcut
