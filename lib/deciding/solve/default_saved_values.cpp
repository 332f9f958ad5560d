#include "solve/default_saved_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

struct Repeatable {
  std::string_view target;
  std::optional<Change> since = {};
};

// Checks and profiler marks may run twice.
constexpr std::array<Repeatable, 7> kRepeatable = {{
    {"aten._assert_scalar.default"},
    {"aten._assert_async.default", Change::AsyncAssertsAreRepeatable},
    {"aten._assert_async.msg", Change::AsyncAssertsAreRepeatable},
    {"profiler._record_function_enter_new.default", Change::ProfilerMarksAreRepeatable},
    {"profiler._record_function_enter.default", Change::ProfilerMarksAreRepeatable},
    {"profiler._record_function_exit.default", Change::ProfilerMarksAreRepeatable},
    {"profiler._record_function_exit._RecordFunction", Change::ProfilerMarksAreRepeatable},
}};

bool is_repeatable(const Node& node, Release release) {
  if (!node.is_call()) return false;
  const auto found = std::ranges::find(kRepeatable, node.callee->target, &Repeatable::target);
  return found != kRepeatable.end() && (!found->since || release.has(*found->since));
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
    if (node.has_symbol()) return save_symbol(id);
    const auto users = users_.of(id);
    const auto is_item = [&](NodeId user) { return graph_[user].calls("operator.getitem"); };
    if (!users.empty() && std::all_of(users.begin(), users.end(), is_item)) return;
    if (node.meta.recompute == CheckpointPolicy::MustSave || has_effect(node) || is_saved_object(node)) return save(id);
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

  void save_symbol(NodeId id) {
    const bool drops = release_.has(Change::DefaultDropsAssertedBooleans);
    if (!drops || !is_assert_only(graph_, users_, id)) save(id);
  }

  bool is_saved_object(const Node& node) const {
    return is_opaque(node) && release_.has(Change::OpaqueValuesAreSaved);
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

bool has_tensor_meta(const Node& node) { return node.has_tensor() || node.tensor_meta; }

// The choice of releases that ignore where calls are placed: among everything that the forward's outputs need, used or not.
class OldDefaultChoice {
 public:
  OldDefaultChoice(const JointGraph& joint, const Users& users, const Roles& roles)
      : graph_(joint.graph), users_(users), roles_(roles) {}

  std::vector<NodeId> run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (roles_.required_forward[i] && !graph_.nodes[i].is_output()) consider(node_id(i));
    }
    return std::move(saved_);
  }

 private:
  void consider(NodeId id) {
    const Node& node = graph_[id];
    if (node.has_symbol()) return save(id);
    const auto users = users_.of(id);
    if (node.is_call() && !has_tensor_meta(node)) {
      for (const NodeId user : users) require_item(id, user);
      for (const NodeId user : users) save(user);
      return;
    }
    std::vector<NodeId> outside;
    std::ranges::copy_if(users, std::back_inserter(outside), [&](NodeId user) { return !roles_.is_required_forward(user); });
    const bool saves_sizes =
        has_tensor_meta(node) && std::ranges::all_of(outside, [&](NodeId user) { return graph_[user].has_symbol(); });
    if (!saves_sizes) return save(id);
    for (const NodeId user : outside) save(user);
  }

  void require_item(NodeId id, NodeId user) const {
    if (graph_[user].calls("operator.getitem")) return;
    throw Failure(ExitStatus::NoPartition,
                  fmt::format("'{}' is not a tensor, so it cannot be saved, and '{}' takes it whole", graph_[id].name,
                              graph_[user].name),
                  "give the node a 'val' that says what it computes");
  }

  void save(NodeId id) {
    if (seen_.insert(id).second) saved_.push_back(id);
  }

  const Graph& graph_;
  const Users& users_;
  const Roles& roles_;
  std::set<NodeId> seen_;
  std::vector<NodeId> saved_;
};

}  // namespace

SavedValues default_saved_values(const JointGraph& joint, const Users& users, const Roles& roles, bool has_regions) {
  if (!joint.torch.release.has(Change::DefaultKeepsPlacement)) {
    return {.by = ByDefaultPartitioner{}, .saved = OldDefaultChoice(joint, users, roles).run()};
  }
  return {.by = ByDefaultPartitioner{}, .saved = DefaultChoice(joint, users, has_regions).run()};
}

}  // namespace fxcut
