// The whole step after a decision.
#pragma once

#include <optional>
#include <vector>

#include "cost/size.h"
#include "finish/finish.h"
#include "graph/graph.h"
#include "memory/memory_profile.h"
#include "settings/settings.h"

namespace fxcut {

// What PyTorch's pass makes of the step of `joint` (step/rematerialize_by_tags.h), where tags may decide: nothing for a joint
// graph, where the minimum cut decides, or where the pass refuses the step. Throws the refusal (NoPartition) if the setting
// `partitioner` is `tags`, which asks for it.
std::optional<Graph> rematerialized_by_pytorch(const JointGraph& joint, const Settings& settings);

// A step, and the memory that it uses while it runs, node by node.
struct RunStep {
  Graph graph;
  MemoryProfile memory;
};

// The step in which the backward recomputes what it recomputes in the two graphs: the two in one (step/join_partition.h). Where
// its own tags have decided, `by_pytorch`, which that pass made: it is followed node by node. What several regions of the
// backward use is recomputed in each of them if that lowers the peak, and no write lies before the end of the last. `storages`
// are those of the graph as read.
RunStep whole_step(const JointGraph& joint, const Finished& finished, const std::vector<CarriedValue>& carried,
                   const StorageBytes& storages, const std::optional<Graph>& by_pytorch);

}  // namespace fxcut
