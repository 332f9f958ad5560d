#include "normalise/common_subexpressions.h"

#include <string>
#include <unordered_map>
#include <vector>

#include "classify/purity.h"
#include "normalise/equal_calls.h"
#include "normalise/mergeable_calls.h"

namespace fxcut {
namespace {

// The first call of a bucket, in the new graph.
struct Bucket {
  NodeId first;
  std::uint32_t mutation_region;
};

}  // namespace

JointGraph merge_common_subexpressions(JointGraph joint) {
  const MergeableCalls mergeable(joint);
  const bool by_context = joint.torch.release.has(Change::CseByStreamAndPool);
  BucketKey key(joint.torch.release.has(Change::CseByBits));
  const SameArguments same_arguments(joint.torch.release.has(Change::CseByBits));
  Graph& graph = joint.graph;
  std::unordered_map<std::string, Bucket> buckets;
  buckets.reserve(graph.size());
  std::vector<NodeId> stands_for(graph.size());  // by old id, the new one
  std::size_t kept = 0;                          // the new graph, in front of what is still to be read
  std::uint32_t mutation_region = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    Node& node = graph.nodes[i];
    if (is_mutation(node)) ++mutation_region;
    for (NodeId& input : node.inputs) input = stands_for[index_of(input)];
    stands_for[i] = node_id(kept);
    if (mergeable.contains(node, i) && key.make(node, mergeable.kind(i))) {
      const auto [bucket, is_new] = buckets.try_emplace(key.text(), Bucket{node_id(kept), mutation_region});
      const Node& first = graph[bucket->second.first];
      if (!is_new && same_arguments(first, node) && (!by_context || same_context(first, node))) {
        if (bucket->second.mutation_region == mutation_region) {
          stands_for[i] = bucket->second.first;
          joint.repeats.emplace(std::move(node.name), graph[bucket->second.first].name);
          continue;
        }
        bucket->second = {node_id(kept), mutation_region};  // later repeats are repeats of this one
      }
    }
    if (kept != i) graph.nodes[kept] = std::move(node);
    ++kept;
  }
  graph.nodes.resize(kept);
  return joint;
}

}  // namespace fxcut
