// The decision of one of PyTorch's partitioners: normalise, set the tags, classify, decide. Each partitioner leaves some
// graphs to the other.
#pragma once

#include <optional>

#include "frontier/evaluate.h"
#include "frontier/work_budget.h"
#include "partition/decision.h"
#include "partition/passes.h"
#include "peak/save_within_compiled_peak.h"
#include "report/report.h"
#include "solve/frontier_facts.h"

namespace fxcut {

// A choice of the frontier solver that was made before, and what is known of it.
struct KeptChoice {
  KeptStorages kept;
  FrontierFacts facts;
};

// A request for a decision, in addition to settings and policies.
struct PartitionRequest {
  const HaltRequested& halt = kNeverHalt;
  const PassDone& done = kNoProgress;
  std::optional<ForcedTag> forced = std::nullopt;
  const Report* replayed = nullptr;  // the report with the decision to replay, or null
  const CompiledPeakRequest* compiled = nullptr;  // instead of the limits in the settings, or null
  const KeptChoice* kept = nullptr;              // instead of a solver, or null
  bool has_report = true;  // false: the decision has no fingerprint
};

// The request with the data that the passes share.
struct PassContext : PartitionRequest {
  const Settings& settings;
  const MatchedPolicies& matched;
  const StorageBytes& storages;  // of the graph as it was read
  bool has_policies = false;
  std::optional<PolicyOutcome> tagged = std::nullopt;  // set after the policies have tagged the graph
};

// The graph that the minimum cut decides on.
struct Prepared {
  JointGraph joint;
  Users users;
  Roles roles;
  FinishingNeeds needs;
};

// `joint` is the graph as it was read, with checkpointed regions inlined.
Prepared prepare(JointGraph joint, PassContext& context);

// The decision of the partitioner in the settings, or of the other one if that one does not decide the graph. Throws Failure
// (NoPartition) if there is none.
Decision decide_by_partitioner(JointGraph joint, PassContext context);

}  // namespace fxcut
