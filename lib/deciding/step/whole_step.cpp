#include "step/whole_step.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "classify/purity.h"
#include "step/backward_regions.h"
#include "step/join_partition.h"
#include "step/rematerialize_by_tags.h"

namespace fxcut {
namespace {

// Whether there are several regions, and no write before the end of the last one that would change recomputed values.
bool may_recompute_in_each_region(const Graph& step) {
  const std::vector<BackwardRegion> regions = backward_regions(step, find_backward(step));
  if (regions.size() < 2) return false;
  const auto begin = step.nodes.begin(), end = begin + static_cast<std::ptrdiff_t>(regions.back().end);
  return std::none_of(begin, end, is_mutation);
}

}  // namespace

std::optional<Graph> rematerialized_by_pytorch(const JointGraph& joint, const Settings& settings) {
  if (!joint.step || settings.partitioner == Partitioner::MinCut) return std::nullopt;
  if (settings.ignore_tags) return joint.step->graph;  // what the pass makes of a step without tags
  auto outcome = rematerialize_by_tags(*joint.step);
  if (auto* result = std::get_if<Graph>(&outcome)) return std::move(*result);
  if (settings.partitioner == Partitioner::Tags) throw std::get<Failure>(std::move(outcome));
  return std::nullopt;
}

RunStep whole_step(const JointGraph& joint, const Finished& finished, const std::vector<CarriedValue>& carried,
                   const StorageBytes& storages, const std::optional<Graph>& by_pytorch) {
  const auto run = [&](Graph graph) {
    MemoryProfile memory = profile_memory(find_lifetimes(graph, storages, joint.merged_storages));
    return RunStep{std::move(graph), std::move(memory)};
  };
  const auto joined = [&](RecomputeIn where) { return run(join_partition(*joint.step, finished.graphs, carried, where)); };
  if (by_pytorch && finished.offloads.empty()) return run(*by_pytorch);
  RunStep once = joined(RecomputeIn::FirstRegion);
  if (!may_recompute_in_each_region(joint.step->graph)) return once;
  RunStep each = joined(RecomputeIn::EachRegion);
  return each.memory.peak_bytes() < once.memory.peak_bytes() ? std::move(each) : std::move(once);
}

}  // namespace fxcut
