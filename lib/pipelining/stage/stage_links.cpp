#include "stage/stage_links.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "cost/size.h"
#include "stage/tangent_name.h"

namespace fxcut {
namespace {

std::int64_t boundary_bytes(const Node& node) { return node.has_tensor() ? element_bytes(node.value->tensor) : 0; }

std::vector<const Node*> boundary_outputs(const JointGraph& stage) {
  std::vector<const Node*> outputs;
  const std::vector<OutputLeaf> leaves = output_leaves(stage.graph);
  for (std::size_t i = 0; i < std::min(stage.num_forward_outputs, leaves.size()); ++i) {
    if (leaves[i].node) outputs.push_back(&stage.graph[*leaves[i].node]);
  }
  std::sort(outputs.begin(), outputs.end());
  outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
  return outputs;
}

class Links {
 public:
  explicit Links(const std::vector<const JointGraph*>& stages) : stages_(stages) {}

  std::vector<StageLink> find() {
    const bool have_own_names = names_are_of_one_graph();
    for (std::size_t i = 0; i + 1 < stages_.size(); ++i) {
      if (!have_own_names || !link_by_name(i)) link_to_next(i);
    }
    std::vector<StageLink> links;
    for (const auto& [ends, link] : links_) links.push_back(link);
    return links;
  }

 private:
  // Not those of a file that is several stages, nor of graphs that were captured one by one and happen to use the same names.
  bool names_are_of_one_graph() const {
    std::set<std::string_view> made;
    for (const JointGraph* stage : stages_) {
      for (const Node* output : boundary_outputs(*stage)) {
        if (!output->is_placeholder() && !made.insert(output->name).second) return false;
      }
    }
    return true;
  }

  StageLink& between(std::size_t from, std::size_t to) {
    StageLink& link = links_[{from, to}];
    link.from = static_cast<int>(from);
    link.to = static_cast<int>(to);
    return link;
  }

  bool link_by_name(std::size_t from) {
    std::map<std::string_view, const Node*> outputs;
    for (const Node* output : boundary_outputs(*stages_[from])) outputs.emplace(output->name, output);
    bool found_any = false;
    for (std::size_t to = from + 1; to < stages_.size(); ++to) {
      bool found_here = false;
      for (const Node& node : stages_[to]->graph.nodes) {
        const auto found = node.is_placeholder() ? outputs.find(node.name) : outputs.end();
        if (found == outputs.end() || found->second->is_placeholder()) continue;
        between(from, to).forward_bytes += boundary_bytes(node);
        found_here = true;
      }
      if (found_here) link_gradients(from, to);
      found_any = found_any || found_here;
    }
    return found_any;
  }

  void link_gradients(std::size_t from, std::size_t to) {
    std::map<std::string, const Node*> tangents;
    for (const Node& node : stages_[from]->graph.nodes) {
      if (node.is_placeholder()) tangents.emplace(node.name, &node);
    }
    for (const Node& node : stages_[to]->graph.nodes) {
      const auto found = node.is_call() ? tangents.find(tangent_name(node.name)) : tangents.end();
      if (found != tangents.end()) between(from, to).backward_bytes += boundary_bytes(*found->second);
    }
  }

  void link_to_next(std::size_t from) {
    StageLink& link = between(from, from + 1);
    for (const Node* output : boundary_outputs(*stages_[from])) link.forward_bytes += boundary_bytes(*output);
    for (const Node& node : stages_[from]->graph.nodes) {
      if (is_tangent(node)) link.backward_bytes += boundary_bytes(node);
    }
  }

  const std::vector<const JointGraph*>& stages_;
  std::map<std::pair<std::size_t, std::size_t>, StageLink> links_;
};

}  // namespace

std::vector<StageLink> find_links(const std::vector<const JointGraph*>& stages) { return Links(stages).find(); }

}  // namespace fxcut
