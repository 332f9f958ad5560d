// From a joint graph to its partition: the passes, in order.
#pragma once

#include <memory>
#include <optional>

#include "cost/estimators.h"
#include "frontier/evaluate.h"
#include "frontier/work_budget.h"
#include "inductor/predict_memory.h"
#include "memory/memory_profile.h"
#include "partition/decision.h"
#include "partition/passes.h"
#include "peak/save_within_compiled_peak.h"
#include "report/decision_effect.h"
#include "report/report.h"
#include "report/running_graphs.h"
#include "settings/settings.h"
#include "solve/frontier_facts.h"

namespace fxcut {

struct Partition {
  GraphPair graphs;
  // Subgraphs of get_attr nodes of the two graphs, without dead code.
  Subgraphs subgraphs;
  Report report;
  MemoryProfile memory;  // of the operators; for a whole step, of `step`
  std::optional<PredictedMemory> compiled = {};  // of inductor's code, where the report has it
  // The decision, if no one else owns it: freeing it takes long, so it is freed with this.
  std::shared_ptr<const Decision> decision = {};
  std::shared_ptr<const ForwardBackward> sides = {};  // the decision's plan(); like it, null for a replay
  std::optional<Graph> step = {};  // for a whole step: the two in one graph

  // The graphs that `memory` describes.
  RunningGraphs running() const { return step ? RunningGraphs(*step) : RunningGraphs(graphs); }
};

// The first half of `partition`: the saved values and the reasons.
Decision decide(JointGraph joint, const Settings& settings, const PolicyStack& policies, const HaltRequested& halt);

// The second half: both graphs and the report. `settings` are those of the decision.
Partition carry_out(const Decision& decision, const Settings& settings, const PassDone& done = kNoProgress);

// The partition of PyTorch, in the release of `joint`: by min_cut_rematerialization_partition, or by default_partition
// according to the settings. Each leaves some graphs to the other. `policies` apply in addition, outermost first. Throws
// Failure (NoPartition) if there is no partition. Long searches for better decisions call `halt` regularly.
Partition partition(JointGraph joint, const Settings& settings, const PolicyStack& policies = {},
                    const HaltRequested& halt = kNeverHalt, const PassDone& done = kNoProgress,
                    const std::optional<ForcedTag>& forced = {});

// The partition by save_within_compiled_peak, which chooses among the minimum cut's candidates; if the settings' partitioner
// decides without a cut, its partition. Throws what save_within_compiled_peak throws.
Partition partition_within_code(JointGraph joint, const Settings& settings, const PolicyStack& policies,
                                const HaltRequested& halt, const CompiledPeakRequest& request, const PassDone& done = kNoProgress,
                                const std::optional<ForcedTag>& forced = {});

// The partition in which the frontier solver keeps these storages of the graph's recompute problem
// (frontier/recompute_problem.h), with these facts about the choice. Throws Failure (NoPartition) if min_cut does not decide
// the graph.
Partition partition_keeping(JointGraph joint, const Settings& settings, const PolicyStack& policies, const KeptStorages& kept,
                            const FrontierFacts& facts);

// Only the figures of that partition by which decisions are compared, which takes less time.
DecisionEffect weigh(JointGraph joint, const Settings& settings, const PolicyStack& policies, const HaltRequested& halt);

// Applies the decision of an earlier report: under its settings and policies, with its saved values in place of a solver's.
// Equal graphs give equal bytes. An edited report is followed, or Failure has the reason that it cannot be. Throws Failure
// (BadInput) with the differences if the report is of another graph; Failure (NoPartition) if a value can neither be saved
// nor recomputed.
Partition replay(JointGraph joint, const Report& decision, const PassDone& done = kNoProgress);

}  // namespace fxcut
