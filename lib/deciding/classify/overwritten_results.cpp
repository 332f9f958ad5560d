#include "classify/overwritten_results.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "classify/host_copies.h"
#include "classify/purity.h"
#include "classify/views_and_writes.h"

namespace fxcut {
namespace {

bool only_computes_a_tensor(const Node& node) {
  if (!node.is_call() || !node.storage()) return false;
  if (!node.callee->is_overload()) return runs_under_given_state(node) && !writes(node);
  const bool does_more = writes(node) || is_impure(node) || draws_seeds(node);
  return !does_more && !node.callee->is(Operator::View) && !is_host_copy(node);
}

// For each node, whether dead code elimination keeps it.
std::vector<bool> find_kept(const Graph& graph) {
  std::vector<bool> kept(graph.size(), false);
  for (std::size_t i = graph.size(); i-- > 0;) {
    kept[i] = kept[i] || is_impure(graph.nodes[i]);
    if (!kept[i]) continue;
    for (const NodeId input : graph.nodes[i].inputs) kept[index_of(input)] = true;
  }
  return kept;
}

// The results that have not been read so far, by their memory.
class UnreadResults {
 public:
  UnreadResults(const Graph& graph, const MergedStorages& merged) : graph_(graph), merged_(merged) {}

  // The call whose result this one overwrites, if that has not been read.
  std::optional<NodeId> overwrite(NodeId copy) {
    read(copy, 1);
    const auto made = made_.find(*memory_of(graph_[copy].inputs.front()));
    if (made == made_.end()) return std::nullopt;
    const NodeId maker = made->second;
    made_.erase(made);
    return maker;
  }

  void run(NodeId id) {
    const Node& node = graph_[id];
    const bool is_view = node.is_call() && node.callee->is(Operator::View) && !node.inputs.empty() && memory_of(id) &&
                         memory_of(id) == memory_of(node.inputs.front());
    read(id, is_view ? 1 : 0);
    if (only_computes_a_tensor(node) && !is_of_input(id)) made_.emplace(*memory_of(id), id);
  }

 private:
  std::optional<std::int64_t> memory_of(NodeId id) const {
    const auto storage = graph_[id].storage();
    return storage ? std::optional(storage_after_merging(merged_, *storage)) : std::nullopt;
  }
  bool is_of_input(NodeId id) const {
    return std::ranges::any_of(graph_[id].inputs, [&](NodeId input) { return memory_of(input) == memory_of(id); });
  }
  // The inputs from that one on.
  void read(NodeId id, std::size_t first_input) {
    const std::vector<NodeId>& inputs = graph_[id].inputs;
    for (std::size_t k = first_input; k < inputs.size(); ++k) read(graph_[inputs[k]].value.get());
  }
  void read(const Value* value) {
    if (!value) return;
    if (value->is_tensor() && value->tensor.storage) made_.erase(storage_after_merging(merged_, *value->tensor.storage));
    for (const Value& item : value->items) read(&item);
  }

  const Graph& graph_;
  const MergedStorages& merged_;
  std::unordered_map<std::int64_t, NodeId> made_;
};

}  // namespace

std::vector<bool> find_overwritten_results(const Graph& graph, const CopiesInPlace& copies, const MergedStorages& merged) {
  std::vector<bool> found(graph.size(), false);
  if (std::ranges::find(copies.is_whole, true) == copies.is_whole.end()) return found;
  const std::vector<bool> kept = find_kept(graph);
  UnreadResults unread(graph, merged);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!kept[i]) continue;
    const bool overwrites = copies.overwrites(node_id(i));
    const auto maker = overwrites ? unread.overwrite(node_id(i)) : std::nullopt;
    if (maker) found[index_of(*maker)] = true;
    if (!overwrites) unread.run(node_id(i));
  }
  return found;
}

std::vector<bool> find_overwritten_on_side(const Graph& side, const CopiesInPlace& in_joint, const OriginalOf& original,
                                           const MergedStorages& merged) {
  CopiesInPlace copies = find_copies_in_place(side, merged);
  for (std::size_t i = 0; i < side.size(); ++i) {
    if (!copies.is_whole[i]) continue;
    const auto copy = original(side.nodes[i]);
    copies.is_whole[i] = copy && in_joint.overwrites(*copy);
  }
  return find_overwritten_results(side, copies, merged);
}

}  // namespace fxcut
