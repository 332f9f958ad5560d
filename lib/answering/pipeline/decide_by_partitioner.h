// A decision as one of PyTorch's partitioners makes it: normalise, set the tags, classify, decide. Either partitioner
// hands some graphs over to the other.
#pragma once

#include <optional>

#include "frontier/effort.h"
#include "pipeline/decision.h"
#include "pipeline/stages.h"
#include "report/report.h"

namespace fxcut {

// What is to be found out about a graph, beyond the settings and the policies.
struct PartitionRequest {
  const HaltRequested& halt = kNeverHalt;
  const StageDone& done = kNoProgress;
  std::optional<ForcedTag> forced = std::nullopt;
  const Report* replayed = nullptr;  // whose decision it is; null where one is to be found
};

// The same with what the stages share.
struct StageContext : PartitionRequest {
  const Settings& settings;
  const MatchedPolicies& matched;
  const StorageBytes& storages;  // of the graph as it was read
  std::optional<PolicyOutcome> tagged = std::nullopt;  // once the policies have tagged the graph
};

// The graph as the min cut decides on it.
struct Prepared {
  JointGraph joint;
  Users users;
  Roles roles;
  FinishingNeeds needs;
};

// `joint` is as it was read, checkpointed regions inlined.
Prepared prepare(JointGraph joint, StageContext& context);

// The decision of the partitioner that the settings name, or of the other where that one hands the graph over. Throws
// Failure (NoPartition) where there is none.
Decision decide_by_partitioner(JointGraph joint, StageContext context);

}  // namespace fxcut
