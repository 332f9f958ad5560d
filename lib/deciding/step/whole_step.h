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

// The step of `joint` after PyTorch's pass (step/rematerialize_by_tags.h), if tags may decide: nullopt for a joint graph, if the
// minimum cut decides, or if the pass refuses the step. Throws the refusal (NoPartition) if the setting `partitioner` is `tags`,
// which asks for it.
std::optional<Graph> rematerialized_by_pytorch(const JointGraph& joint, const Settings& settings);

// A step, and the memory that it uses while it runs, node by node.
struct RunStep {
  Graph graph;
  MemoryProfile memory;
};

// The step that recomputes what the backward recomputes in the two graphs: both joined (step/join_partition.h). If its own tags
// have decided, this is `by_pytorch`, the result of that pass, node by node. Values that several regions of the backward use are
// recomputed in each if that lowers the peak and no write lies before the end of the last region. `storages` are those of the
// graph as read.
RunStep whole_step(const JointGraph& joint, const Finished& finished, const std::vector<CarriedValue>& carried,
                   const StorageBytes& storages, const std::optional<Graph>& by_pytorch);

}  // namespace fxcut
