#include "normalise/common_subexpressions.h"

#include <algorithm>
#include <memory_resource>
#include <string_view>
#include <utility>
#include <vector>

#include "classify/purity.h"
#include "graph/text_map.h"
#include "normalise/equal_calls.h"
#include "normalise/mergeable_calls.h"

namespace fxcut {
namespace {

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
  const bool by_context = joint.torch.release.has(Change::CseByStreamAndPool);
  BucketKey key(joint.torch.release.has(Change::CseByBits));
  const SameArguments same_arguments(joint.torch.release.has(Change::CseByBits)), same_bits(true);
  Graph& graph = joint.graph;
  Buckets buckets(graph.size());
  std::vector<NodeId> merged_into(graph.size());  // by old id, the new id
  std::size_t kept = 0;                          // the size of the new graph, before the nodes still to be read
  std::uint32_t mutation_region = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    Node& node = graph.nodes[i];
    if (is_mutation(node)) ++mutation_region;
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
