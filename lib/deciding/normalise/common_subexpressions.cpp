#include "normalise/common_subexpressions.h"

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "classify/purity.h"
#include "classify/views_and_writes.h"
#include "graph/text_map.h"
#include "normalise/equal_calls.h"

namespace fxcut {
namespace {

using Kind = Argument::Kind;

// The storages of the outputs: eager mode keeps these apart, so values in them are not merged.
std::unordered_set<std::int64_t> output_storages(const Graph& graph) {
  std::unordered_set<std::int64_t> storages;
  for (const NodeId id : graph.output().inputs) {
    if (const auto storage = graph[id].storage()) storages.insert(*storage);
  }
  return storages;
}

// Marks the nodes in `argument`, a node or a list of nodes.
void collect_nodes(const Node& call, const Argument& argument, std::vector<bool>& marked) {
  for_each_leaf(argument, [&](const Argument& leaf) {
    if (leaf.kind == Kind::Node) marked[index_of(call.inputs[leaf.index])] = true;
  });
}

// For each node, whether a functionalized mutation (auto_functionalized, its version 2, and Triton kernels) writes to its
// value.
std::vector<bool> mutation_bases(const Graph& graph) {
  std::vector<bool> bases(graph.size(), false);
  for (const Node& node : graph.nodes) {
    if (node.calls("higher_order.auto_functionalized_v2")) {
      if (const Argument* all = node.arguments->find("_all_bases")) collect_nodes(node, *all, bases);
    } else {
      for (const Argument* base : cloned_arguments(node)) collect_nodes(node, *base, bases);
    }
  }
  return bases;
}

// For each node, whether a gradient is computed from it.
std::vector<bool> needed_by_backward(const JointGraph& joint) {
  const std::vector<OutputLeaf> outputs = output_leaves(joint.graph);
  return needed_for(joint.graph, std::span(outputs).subspan(std::min(joint.num_forward_outputs, outputs.size())));
}

// Decides which calls may be merged at all, whatever their arguments.
class MergeableCalls {
 public:
  explicit MergeableCalls(const JointGraph& joint)
      : spares_empty_(joint.torch.release.has(Change::CseSparesEmpty)),
        spares_impure_(joint.torch.release.has(Change::CseSparesImpure)) {
    if (joint.torch.release.has(Change::CseSparesOutputStorages)) output_storages_ = output_storages(joint.graph);
    if (joint.torch.release.has(Change::CseSparesMutationBases)) mutation_bases_ = mutation_bases(joint.graph);
    if (joint.torch.release.has(Change::CseByBackwardNeed)) needed_by_backward_ = needed_by_backward(joint);
  }

  // Whether the node at `position` may be merged with an equal one.
  bool contains(const Node& node, std::size_t position) const {
    if (!node.is_call() || node.callee->is(Operator::NeverDeduplicated)) return false;
    if (spares_empty_ && node.callee->packet == "aten.empty") return false;
    if (spares_impure_ && (is_impure(node) || is_registered_random(*node.callee))) return false;
    if (!mutation_bases_.empty() && mutation_bases_[position]) return false;
    const auto storage = node.storage();
    return !(storage && output_storages_.contains(*storage));
  }

  // Calls of different kinds are not merged.
  bool kind(std::size_t position) const { return !needed_by_backward_.empty() && needed_by_backward_[position]; }

 private:
  std::unordered_set<std::int64_t> output_storages_;
  bool spares_empty_, spares_impure_;
  std::vector<bool> mutation_bases_, needed_by_backward_;  // by node; empty if the release does not use it
};

// The first call of a bucket, in the new graph.
struct Bucket {
  NodeId first;
  std::uint32_t mutation_region;
};

// By key. The keys share one buffer and are freed together: there are about as many as nodes.
class Buckets {
 public:
  explicit Buckets(std::size_t nodes) { buckets_.reserve(nodes); }

  // The bucket of that key; if new, with `first`, and true.
  std::pair<Bucket&, bool> find_or_add(std::string_view key, const Bucket& first) {
    if (Bucket* found = buckets_.find(key)) return {*found, false};
    auto* const text = static_cast<char*>(keys_.allocate(key.size(), 1));
    std::copy(key.begin(), key.end(), text);
    return buckets_.emplace(std::string_view(text, key.size()), first);
  }

 private:
  std::pmr::monotonic_buffer_resource keys_;
  TextMap<Bucket> buckets_;
};

// The storage that a number represents after merges. Path halving (Tarjan and van Leeuwen, "Worst-case Analysis of Set
// Union Algorithms", JACM 1984) keeps chains short.
std::int64_t find_storage(MergedStorages& merged, std::int64_t storage) {
  for (auto found = merged.find(storage); found != merged.end(); found = merged.find(storage)) {
    const auto next = merged.find(found->second);
    if (next != merged.end()) found->second = next->second;
    storage = found->second;
  }
  return storage;
}

// Records that the repeat's memory is now that of `first`. Equal calls have values of one form.
void merge_storages(const Value& first, const Value& repeat, MergedStorages& merged) {
  if (first.is_tensor() && repeat.is_tensor() && first.tensor.storage && repeat.tensor.storage) {
    const std::int64_t kept = find_storage(merged, *first.tensor.storage);
    const std::int64_t removed = find_storage(merged, *repeat.tensor.storage);
    if (kept != removed) merged.emplace(removed, kept);
  }
  for (std::size_t i = 0; i < std::min(first.items.size(), repeat.items.size()); ++i) {
    merge_storages(first.items[i], repeat.items[i], merged);
  }
}

}  // namespace

JointGraph merge_common_subexpressions(JointGraph joint) {
  const MergeableCalls mergeable(joint);
  const Release release = joint.torch.release;
  const bool by_context = release.has(Change::CseByStreamAndPool), heeds_mutations = release.has(Change::CseByMutationRegion);
  BucketKey key(release.has(Change::CseByBits));
  const SameArguments same_arguments(release.has(Change::CseByBits)), same_bits(true);
  Graph& graph = joint.graph;
  Buckets buckets(graph.size());
  std::vector<NodeId> merged_into(graph.size());  // by old id, the new id
  std::size_t kept = 0;                          // the size of the new graph, before the nodes still to be read
  std::uint32_t mutation_region = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    Node& node = graph.nodes[i];
    if (heeds_mutations && is_mutation_in(node, release)) ++mutation_region;
    for (NodeId& input : node.inputs) input = merged_into[index_of(input)];
    merged_into[i] = node_id(kept);
    if (mergeable.contains(node, i) && key.make(node, mergeable.kind(i))) {
      const auto [bucket, is_new] = buckets.find_or_add(key.text(), {node_id(kept), mutation_region});
      const Node& first = graph[bucket.first];
      if (!is_new && same_arguments(first, node) && (!by_context || same_context(first, node))) {
        if (bucket.mutation_region == mutation_region) {
          merged_into[i] = bucket.first;
          if (first.value && node.value) merge_storages(*first.value, *node.value, joint.merged_storages);
          if (!same_bits(first, node)) joint.unlike_repeats.insert(node.name);
          joint.repeats.emplace(std::move(node.name), first.name);
          continue;
        }
        bucket = {node_id(kept), mutation_region};  // later repeats are repeats of this one
      }
    }
    if (kept != i) graph.nodes[kept] = std::move(node);
    ++kept;
  }
  graph.nodes.resize(kept);
  for (auto& [removed, storage] : joint.merged_storages) storage = find_storage(joint.merged_storages, storage);
  return joint;
}

}  // namespace fxcut
