#include "solve/default_saved_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

// Checks and profiler marks may run twice.
constexpr std::array<std::string_view, 5> kRepeatable = {
    "aten._assert_scalar.default",
    "profiler._record_function_enter_new.default",
    "profiler._record_function_enter.default",
    "profiler._record_function_exit.default",
    "profiler._record_function_exit._RecordFunction",
};

constexpr std::array<std::string_view, 2> kAsyncAsserts = {"aten._assert_async.default", "aten._assert_async.msg"};

bool is_repeatable(const Node& node, Release release) {
  const auto is_in = [&](const auto& targets) { return std::ranges::find(targets, node.callee->target) != targets.end(); };
  return node.is_call() && (is_in(kRepeatable) || (is_in(kAsyncAsserts) && release.has(Change::AsyncAssertsAreRepeatable)));
}

class DefaultChoice {
 public:
  DefaultChoice(const JointGraph& joint, const Users& users, bool has_regions)
      : graph_(joint.graph), users_(users), release_(joint.torch.release), has_regions_(has_regions) {
    for (const auto& [name, subgraph] : joint.subgraphs) subgraphs_.insert(name);
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (node.meta.tag == PartitionerTag::IsForward || is_primal(node) || is_forward_seed(node)) forward_end_ = i + 1;
    }
  }

  std::vector<NodeId> run() {
    for (std::size_t i = 0; i < forward_end_; ++i) {
      if (is_in_forward(node_id(i))) consider(node_id(i));
    }
    return std::move(saved_);
  }

 private:
  bool is_in_forward(NodeId id) const {
    return index_of(id) < forward_end_ && !is_tangent(graph_[id]) && !graph_[id].is_output();
  }

  void consider(NodeId id) {
    const Node& node = graph_[id];
    if (node.opcode == Opcode::GetAttr && subgraphs_.contains(node.name)) return;
    if (is_repeatable(node, release_)) return;
    if (node.has_symbol()) return save(id);
    const auto users = users_.of(id);
    const auto is_item = [&](NodeId user) { return graph_[user].calls("operator.getitem"); };
    if (!users.empty() && std::all_of(users.begin(), users.end(), is_item)) return;
    if (node.meta.recompute == CheckpointPolicy::MustSave || has_effect(node) || is_opaque(node)) return save(id);
    if (node.is_call() && !node.has_tensor() && !node.tensor_meta) {
      throw Failure(ExitStatus::NoPartition, fmt::format("'{}' is not a tensor, so it cannot be saved", node.name),
                    "give the node a 'val' that says what it computes");
    }
    consider_tensor(id);
  }

  // If the backward uses only sizes of a tensor, the sizes are saved.
  void consider_tensor(NodeId id) {
    std::vector<NodeId> outside;
    for (const NodeId user : users_.of(id)) {
      if (!is_in_forward(user)) outside.push_back(user);
    }
    if (std::all_of(outside.begin(), outside.end(), [&](NodeId user) { return graph_[user].has_symbol(); })) {
      for (const NodeId user : outside) save(user);
    } else if (!graph_[id].must_recompute()) {
      save(id);
    }
  }

  bool has_effect(const Node& node) const {
    if (!node.is_call() || !is_impure(node) || is_wait(node)) return false;
    if (has_regions_) {
      throw Failure(ExitStatus::NoPartition,
                    fmt::format("'{}' ({}) has a side effect, and regions of the graph are to be recomputed", node.name,
                                node.callee->target),
                    "drop the recompute tags");
    }
    return true;
  }

  void save(NodeId id) {
    if (seen_.insert(id).second) saved_.push_back(id);
  }

  const Graph& graph_;
  const Users& users_;
  Release release_;
  bool has_regions_;
  std::set<std::string_view> subgraphs_;
  std::size_t forward_end_ = 0;  // the forward's nodes are before this position
  std::set<NodeId> seen_;
  std::vector<NodeId> saved_;
};

}  // namespace

SavedValues default_saved_values(const JointGraph& joint, const Users& users, bool has_regions) {
  return {.by = ByDefaultPartitioner{}, .saved = DefaultChoice(joint, users, has_regions).run()};
}

}  // namespace fxcut
