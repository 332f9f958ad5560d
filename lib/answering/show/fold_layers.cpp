#include "show/fold_layers.h"

#include <fmt/format.h>

#include <utility>

#include "report/layers.h"
#include "report/report.h"

namespace fxcut {
namespace {

void append_tensor(const Value& value, std::string& out) {
  if (!value.is_tensor()) return;
  out += value.tensor.dtype->name;
  for (const Size& size : value.tensor.shape) {
    out += ',';
    out += size.expression ? size.expression->text : std::to_string(size.hint);
  }
}

// Writes the properties in which two modules have to agree.
class Describer {
 public:
  Describer(const Graph& graph, const std::vector<DrawnNode>& shown, const GraphModules& tree)
      : graph_(graph), shown_(shown), tree_(tree), position_(graph.size()), owner_(graph.size(), kNobody) {}

  std::string describe(std::uint32_t module) {
    const std::vector<NodeId> nodes = nodes_within(tree_, module);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      position_[index_of(nodes[i])] = i;
      owner_[index_of(nodes[i])] = module;
    }
    std::string text;
    for (const NodeId id : nodes) {
      const Node& node = graph_[id];
      append_path(tree_.module_of[index_of(id)], module, text);
      text += operator_of(node);
      text += '#';
      text += std::to_string(static_cast<int>(shown_[index_of(id)].state));
      if (node.value) append_tensor(*node.value, text);
      for (const NodeId input : node.inputs) {
        const bool is_within = owner_[index_of(input)] == module;
        text += is_within ? fmt::format(" {}", position_[index_of(input)]) : " -";
      }
      text += '\n';
    }
    return text;
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffff;

  void append_path(std::uint32_t from, std::uint32_t to, std::string& out) const {
    for (; from != to; from = tree_.modules[from].parent) (out += tree_.modules[from].name) += '<';
  }

  const Graph& graph_;
  const std::vector<DrawnNode>& shown_;
  const GraphModules& tree_;
  std::vector<std::size_t> position_;  // by node: within the module that was described last with it
  std::vector<std::uint32_t> owner_;
};

class Folder {
 public:
  Folder(const Graph& graph, const std::vector<DrawnNode>& shown, const GraphModules& tree, const std::vector<bool>& kept)
      : tree_(tree), kept_(kept), describer_(graph, shown, tree), folding_(no_folding(graph, tree)) {}

  // From the root down, without the contents of folded modules.
  Folding fold() {
    std::vector<std::uint32_t> open = {ModuleTree::kRoot};
    while (!open.empty()) {
      const std::uint32_t module = open.back();
      open.pop_back();
      fold_children(module);
      for (const std::uint32_t child : tree_.modules[module].children) {
        if (!folding_.instances[child].empty()) open.push_back(child);
      }
    }
    follow_chains();
    return std::move(folding_);
  }

 private:
  void fold_children(std::uint32_t module) {
    const std::vector<std::uint32_t>& children = tree_.modules[module].children;
    std::vector<std::string_view> names;
    for (const std::uint32_t child : children) names.push_back(tree_.modules[child].name);
    const auto groups = alike_layers(names, [&](std::size_t i) {
      return kept_[children[i]] ? std::nullopt : std::optional(describer_.describe(children[i]));
    });
    for (const std::vector<std::size_t>& group : groups) {
      for (std::size_t i = 1; i < group.size(); ++i) fold_into(children[group.front()], children[group[i]]);
    }
  }

  void fold_into(std::uint32_t representative, std::uint32_t child) {
    const std::vector<NodeId> nodes = nodes_within(tree_, child), others = nodes_within(tree_, representative);
    for (std::size_t i = 0; i < nodes.size(); ++i) folding_.drawn_as[index_of(nodes[i])] = others[i];
    folding_.instances[representative].push_back(child);
    folding_.instances[child].clear();
  }

  // The replacement of a node may have been replaced later itself.
  void follow_chains() {
    for (std::size_t i = 0; i < folding_.drawn_as.size(); ++i) {
      NodeId id = node_id(i);
      while (folding_.drawn_as[index_of(id)] != id) id = folding_.drawn_as[index_of(id)];
      folding_.drawn_as[i] = id;
    }
  }

  const GraphModules& tree_;
  const std::vector<bool>& kept_;
  Describer describer_;
  Folding folding_;
};

}  // namespace

Folding no_folding(const Graph& graph, const GraphModules& tree) {
  Folding folding;
  for (std::size_t i = 0; i < graph.size(); ++i) folding.drawn_as.push_back(node_id(i));
  for (std::uint32_t m = 0; m < tree.modules.size(); ++m) folding.instances.push_back({m});
  return folding;
}

Folding fold_repeats(const Graph& graph, const std::vector<DrawnNode>& shown, const GraphModules& tree,
                     const std::vector<bool>& kept) {
  return Folder(graph, shown, tree, kept).fold();
}

std::string instance_names(const GraphModules& tree, const std::vector<std::uint32_t>& instances) {
  std::vector<std::string_view> names;
  for (const std::uint32_t instance : instances) names.push_back(tree.modules[instance].name);
  return layer_names(names);
}

}  // namespace fxcut
