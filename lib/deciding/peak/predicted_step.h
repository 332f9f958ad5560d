// The memory of a compiled step under a choice of kept storages: both graphs are made, and the memory of their code is predicted
// (inductor/predict_memory.h). That takes some hundred times as long as simulating the operators.
#pragma once

#include <cstddef>
#include <optional>

#include "cost/analysis.h"
#include "cost/device_profile.h"
#include "finish/finish.h"
#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "frontier/work_budget.h"
#include "graph/nodes_by_name.h"
#include "peak/step_simulation.h"

namespace fxcut {

struct PredictedCost {
  std::optional<Int128> compiled_peak_bytes;  // if the setting memory_of asks for it
  double step_ms = 0;                       // inductor/kernel_times.h
};

class PredictedStep {
 public:
  // All are kept by reference.
  PredictedStep(const Analysis& analysis, const RecomputeProblem& problem, const FinishingNeeds& needs);

  struct Run {
    StepSimulation::Result memory;
    std::optional<Int128> time = std::nullopt;  // of the step in picoseconds, where kernels are priced (frontier/kernel_costs.h)
  };
  // The peak of the code under the evaluation's last run, and the step of the last simulation, which must be of the same run,
  // whose node the kernel at the peak computes. Nothing if the two graphs cannot be made. Charges the work.
  std::optional<Run> run(const Evaluation& evaluation, const StepSimulation& simulation, StepSimulation::Result simulated,
                         WorkBudget& work) const;

  // The two graphs, without the states of generators; nothing if they cannot be made.
  std::optional<GraphPair> graphs(const Evaluation& evaluation) const;

  // Nothing if the two graphs cannot be made.
  std::optional<PredictedCost> cost(const Evaluation& evaluation) const;

  // The work of a run of a usual graph.
  std::size_t usual_steps() const { return analysis_.graph().size() * 500; }

 private:
  GraphPair graphs(const Evaluation& evaluation, const JointGraph& joint, const FinishingNeeds& needs) const;

  const Analysis& analysis_;
  const RecomputeProblem& problem_;
  const FinishingNeeds& needs_;
  const DeviceProfile device_;
  const bool prices_kernels_;
  NodesByName node_of_;  // of the joint graph
};

// The result is by choice; nothing where the two graphs cannot be made.
std::vector<std::optional<PredictedCost>> predicted_costs(const Analysis& analysis, const RecomputeProblem& problem,
                                                          const FinishingNeeds& needs,
                                                          const std::vector<const KeptStorages*>& choices);

}  // namespace fxcut
