#include "stage/assign_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

constexpr int kNoStage = std::numeric_limits<int>::max();

std::string_view module_of(const Node& node) { return node.provenance ? std::string_view(node.provenance->module) : ""; }

bool is_in(std::string_view module, std::string_view outer) {
  return module.starts_with(outer) && (module.size() == outer.size() || module[outer.size()] == '.');
}

std::vector<StageRole> find_roles(const JointGraph& joint) {
  const Graph& graph = joint.graph;
  std::vector<OutputLeaf> leaves = output_leaves(graph);
  leaves.resize(std::min(leaves.size(), joint.num_forward_outputs));
  const std::vector<bool> is_forward = needed_for(graph, leaves);
  std::vector<StageRole> roles(graph.size(), StageRole::Anywhere);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    const bool uses_gradient = std::any_of(node.inputs.begin(), node.inputs.end(), [&](NodeId input) {
      return roles[index_of(input)] == StageRole::Gradient;
    });
    if (is_tangent(node) || (node.is_call() && uses_gradient)) {
      roles[i] = StageRole::Gradient;
    } else if (node.is_call()) {
      roles[i] = is_forward[i] ? StageRole::Forward : StageRole::BackwardOfForward;
    }
  }
  return roles;
}

class Assignment {
 public:
  Assignment(const JointGraph& joint, const std::vector<std::string>& modules)
      : graph_(joint.graph), modules_(modules), roles_(find_roles(joint)), stages_(graph_.size()), least_(graph_.size()) {}

  AssignedStages run() {
    assign_forward(first_nodes());
    find_stages_of_modules();
    assign_gradients();
    assign_rest();
    return {std::move(roles_), std::move(stages_)};
  }

 private:
  int last_stage() const { return static_cast<int>(modules_.size()); }

  // Each module's first forward node.
  std::vector<std::size_t> first_nodes() const {
    std::vector<std::size_t> first;
    for (const std::string& module : modules_) {
      std::size_t i = 0;
      while (i < graph_.size() && !(roles_[i] == StageRole::Forward && is_in(module_of(graph_.nodes[i]), module))) ++i;
      if (i == graph_.size()) throw unknown(module);
      if (first.empty() && !std::ranges::count(std::span(roles_).first(i), StageRole::Forward)) {
        throw Failure(ExitStatus::Usage,
                      fmt::format("--split-at: nothing runs before '{}': the first stage would be empty", module),
                      "the first stage begins there without being told");
      }
      if (!first.empty() && i <= first.back()) {
        throw Failure(ExitStatus::Usage,
                      fmt::format("--split-at: '{}' does not come after '{}'", module, modules_[first.size() - 1]),
                      "list the modules in the order in which they run");
      }
      first.push_back(i);
    }
    return first;
  }

  Failure unknown(const std::string& module) const {
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const std::string_view one = module_of(graph_.nodes[i]);
      if (roles_[i] != StageRole::Forward) continue;
      for (std::size_t end = 0; end != one.npos && !one.empty();) {
        end = one.find('.', end + 1);
        known.push_back(one.substr(0, end));
      }
    }
    std::string hint = did_you_mean(module, known);
    if (hint.empty() && known.empty()) hint = "this graph has no modules";
    if (hint.empty()) hint = "'fxcut show GRAPH --as summary' lists the modules";
    return Failure(ExitStatus::Usage, fmt::format("--split-at: no forward node is of a module '{}'", module), std::move(hint));
  }

  void assign_forward(const std::vector<std::size_t>& first) {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (roles_[i] == StageRole::Forward) {
        stages_[i] = static_cast<int>(std::upper_bound(first.begin(), first.end(), i) - first.begin());
        if (is_item(node)) stages_[i] = stages_[index_of(node.inputs[0])];
        least_[i] = stages_[i];
      } else if (roles_[i] != StageRole::Anywhere) {
        for (const NodeId input : node.inputs) {
          if (roles_[index_of(input)] != StageRole::Gradient) least_[i] = std::max(least_[i], least_[index_of(input)]);
        }
      }
    }
  }

  // Items are in the stage of their tuple.
  bool is_item(const Node& node) const {
    return node.calls("operator.getitem") && roles_[index_of(node.inputs[0])] != StageRole::Anywhere;
  }

  void find_stages_of_modules() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (roles_[i] != StageRole::Forward || module_of(graph_.nodes[i]).empty()) continue;
      const auto [found, is_new] = stage_of_module_.try_emplace(module_of(graph_.nodes[i]), stages_[i]);
      if (found->second != stages_[i]) found->second = kNoStage;
    }
  }

  // The stage of the node's module; or `otherwise`, if that is not in one.
  int preferred(const Node& node, int otherwise) const {
    const auto found = stage_of_module_.find(module_of(node));
    return found == stage_of_module_.end() || found->second == kNoStage ? otherwise : found->second;
  }

  void assign_gradients() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (roles_[i] != StageRole::Gradient) continue;
      int most = last_stage();
      for (const NodeId input : node.inputs) {
        if (roles_[index_of(input)] == StageRole::Gradient && !is_tangent(graph_[input])) {
          most = std::min(most, stages_[index_of(input)]);
        }
      }
      if (least_[i] > most) throw needs_later(node, most, least_[i]);
      stages_[i] = is_item(node) ? most : std::clamp(preferred(node, most), least_[i], most);
    }
  }

  Failure needs_later(const Node& node, int stage, int later) const {
    return Failure(ExitStatus::NoPartition,
                   fmt::format("{}: it uses gradients of stage {}, and values that stage {} computes", node.name, stage, later),
                   "the graph cannot be cut at these modules");
  }

  // From the last to the first, so that users are known.
  void assign_rest() {
    std::vector<int> first_user(graph_.size(), kNoStage);
    for (std::size_t i = graph_.size(); i-- > 0;) {
      const Node& node = graph_.nodes[i];
      if (roles_[i] == StageRole::BackwardOfForward) {
        const int most = std::min(first_user[i], last_stage());
        stages_[i] = std::clamp(preferred(node, most), std::min(least_[i], most), most);
      }
      if (node.is_output()) continue;
      for (const NodeId input : node.inputs) {
        first_user[index_of(input)] = std::min(first_user[index_of(input)], stages_[i]);
      }
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (roles_[i] == StageRole::BackwardOfForward && is_item(node)) stages_[i] = stages_[index_of(node.inputs[0])];
    }
  }

  const Graph& graph_;
  const std::vector<std::string>& modules_;
  std::vector<StageRole> roles_;
  std::vector<int> stages_;
  std::vector<int> least_;  // by node: the last stage whose forward it needs
  std::map<std::string_view, int> stage_of_module_;
};

}  // namespace

AssignedStages assign_stages(const JointGraph& joint, const std::vector<std::string>& modules) {
  return Assignment(joint, modules).run();
}

}  // namespace fxcut
