#include "show/module_tree.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "report/report.h"

namespace fxcut {
namespace {

constexpr std::uint32_t kNotYet = 0xffffffff;

class TreeBuilder {
 public:
  TreeBuilder(const Graph& graph, const std::vector<DrawnNode>& shown) : graph_(graph), shown_(shown) {
    tree_.modules.emplace_back();
    tree_.module_of.assign(graph.size(), kNotYet);
  }

  ModuleTree build() {
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
      if (module == kNotYet) module = side_of(i);
      tree_.modules[module].nodes.push_back(node_id(i));
    }
    return std::move(tree_);
  }

 private:
  std::uint32_t child(std::uint32_t parent, std::string_view name) {
    auto [entry, is_new] = children_.try_emplace(std::to_string(parent) + "." + std::string(name));
    if (is_new) {
      entry->second = static_cast<std::uint32_t>(tree_.modules.size());
      Module module;
      module.name = name;
      module.parent = parent;
      module.depth = tree_.modules[parent].depth + 1;
      tree_.modules.push_back(std::move(module));
      tree_.modules[parent].children.push_back(entry->second);
    }
    return entry->second;
  }

  std::uint32_t side_of(std::size_t node) { return child(ModuleTree::kRoot, side_word(shown_[node].side)); }

  std::uint32_t module_of_call(std::size_t node) {
    const auto& provenance = graph_.nodes[node].provenance;
    if (!provenance || provenance->module.empty()) return module_of_inputs(node);
    std::string_view path = provenance->module;
    std::uint32_t module = side_of(node);
    while (true) {
      const bool is_last = tree_.modules[module].depth + 1 == kDeepestModule;
      const std::size_t dot = is_last ? std::string_view::npos : path.find('.');
      module = child(module, path.substr(0, dot));
      if (dot == std::string_view::npos) return module;
      path.remove_prefix(dot + 1);
    }
  }

  // Where the latest call is that the node takes, of its side: a sum of gradients stands with the last of them.
  std::uint32_t module_of_inputs(std::size_t node) {
    std::optional<NodeId> latest;
    for (const NodeId input : graph_.nodes[node].inputs) {
      if (graph_[input].is_placeholder() || shown_[index_of(input)].side != shown_[node].side) continue;
      if (!latest || input > *latest) latest = input;
    }
    return latest ? tree_.module_of[index_of(*latest)] : side_of(node);
  }

  // The graph's inputs go to the first node that takes them on their side.
  void place_inputs(std::size_t user) {
    for (const NodeId input : graph_.nodes[user].inputs) {
      std::uint32_t& module = tree_.module_of[index_of(input)];
      if (module != kNotYet || !graph_[input].is_placeholder() || graph_.nodes[user].is_output()) continue;
      if (shown_[index_of(input)].side == shown_[user].side) module = tree_.module_of[user];
    }
  }

  const Graph& graph_;
  const std::vector<DrawnNode>& shown_;
  ModuleTree tree_;
  std::unordered_map<std::string, std::uint32_t> children_;  // by parent and name
};

}  // namespace

std::string ModuleTree::path(std::uint32_t module) const {
  std::vector<const std::string*> names;
  for (; modules[module].depth > 1; module = modules[module].parent) names.push_back(&modules[module].name);
  std::string text;
  for (auto name = names.rbegin(); name != names.rend(); ++name) text += (text.empty() ? "" : ".") + **name;
  return text;
}

ModuleTree module_tree(const Graph& graph, const std::vector<DrawnNode>& shown) {
  return TreeBuilder(graph, shown).build();
}

std::vector<NodeId> nodes_within(const ModuleTree& tree, std::uint32_t module) {
  std::vector<NodeId> nodes;
  std::vector<std::uint32_t> open = {module};
  while (!open.empty()) {
    const Module& next = tree.modules[open.back()];
    open.pop_back();
    nodes.insert(nodes.end(), next.nodes.begin(), next.nodes.end());
    open.insert(open.end(), next.children.begin(), next.children.end());
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace fxcut
