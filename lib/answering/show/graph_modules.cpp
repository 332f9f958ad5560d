#include "show/graph_modules.h"

#include <algorithm>
#include <optional>

#include "report/report.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kUnknown = 0xffffffff;

class TreeBuilder {
 public:
  TreeBuilder(const Graph& graph, const std::vector<DrawnNode>& shown) : graph_(graph), shown_(shown) {
    tree_.module_of.assign(graph.size(), kUnknown);
  }

  GraphModules build() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (node.is_call() || node.opcode == Opcode::GetAttr) tree_.module_of[i] = module_of_call(i);
      place_inputs(i);
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      std::uint32_t& module = tree_.module_of[i];
      if (graph_.nodes[i].is_output()) {
        module = ModuleTree::kRoot;
        continue;
      }
      if (module == kUnknown) module = side_of(i);
      tree_.nodes.resize(tree_.modules.size());
      tree_.nodes[module].push_back(node_id(i));
    }
    tree_.nodes.resize(tree_.modules.size());
    return std::move(tree_);
  }

 private:
  std::uint32_t side_of(std::size_t node) { return tree_.add(ModuleTree::kRoot, name_of(shown_[node].side)); }

  std::uint32_t module_of_call(std::size_t node) {
    const auto& provenance = graph_.nodes[node].provenance;
    if (!provenance || provenance->module.empty()) return module_of_inputs(node);
    return tree_.add(side_of(node), provenance->module);
  }

  // The module of the latest input on the node's side: a sum of gradients is next to the last of them.
  std::uint32_t module_of_inputs(std::size_t node) {
    std::optional<NodeId> latest;
    for (const NodeId input : graph_.nodes[node].inputs) {
      if (graph_[input].is_placeholder() || shown_[index_of(input)].side != shown_[node].side) continue;
      if (!latest || input > *latest) latest = input;
    }
    return latest ? tree_.module_of[index_of(*latest)] : side_of(node);
  }

  // Inputs of the graph are in the module of their first user on their side.
  void place_inputs(std::size_t user) {
    for (const NodeId input : graph_.nodes[user].inputs) {
      std::uint32_t& module = tree_.module_of[index_of(input)];
      if (module != kUnknown || !graph_[input].is_placeholder() || graph_.nodes[user].is_output()) continue;
      if (shown_[index_of(input)].side == shown_[user].side) module = tree_.module_of[user];
    }
  }

  const Graph& graph_;
  const std::vector<DrawnNode>& shown_;
  GraphModules tree_;
};

}  // namespace

GraphModules graph_modules(const Graph& graph, const std::vector<DrawnNode>& shown) {
  return TreeBuilder(graph, shown).build();
}

std::vector<NodeId> nodes_within(const GraphModules& tree, std::uint32_t module) {
  std::vector<NodeId> nodes;
  std::vector<std::uint32_t> open = {module};
  while (!open.empty()) {
    const std::uint32_t next = open.back();
    open.pop_back();
    nodes.insert(nodes.end(), tree.nodes[next].begin(), tree.nodes[next].end());
    open.insert(open.end(), tree.modules[next].children.begin(), tree.modules[next].children.end());
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace fxcut
