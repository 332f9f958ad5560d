#include "partition/frontier_steps.h"

#include <utility>

#include "classify/purity.h"
#include "extract/roles.h"
#include "normalise/inline_checkpoints.h"
#include "peak/step_simulation.h"
#include "policy/match_policies.h"
#include "policy/partitioner_tags.h"
#include "step/settings_for_step.h"

namespace fxcut {
namespace {

Settings without_limits(const JointGraph& joint, Settings settings) {
  settings.saved_bytes_limit.reset();
  settings.peak_bytes_limit.reset();
  return settings_for(joint, std::move(settings));
}

// A decision of the solver tags the random calls that it recomputes (tag_recomputed_random()). The tag has no effect on others.
void tag_random_calls(Prepared& prepared) {
  for (Node& node : prepared.joint.graph.nodes) {
    if (!draws_numbers(node)) continue;
    if (!node.must_recompute()) node.meta.recompute = CheckpointPolicy::PreferRecompute;
    prepared.needs.has_random_regions = true;
  }
}

}  // namespace

FrontierSteps::FrontierSteps(JointGraph joint, Settings settings, const PolicyStack& policies)
    : settings_(without_limits(joint, std::move(settings))) {
  joint = inline_checkpoints(drop_unknown_tags(std::move(joint)));
  storages_ = storage_bytes(joint.graph);
  const MatchedPolicies matched = match_policies(policies, joint, settings_);
  PassContext context{{}, settings_, matched, storages_, !policies.empty()};
  prepared_ = prepare(std::move(joint), context);
  if (backward_is_empty()) return;
  distance_ = distance_from_backward(prepared_->joint.graph, prepared_->users, prepared_->roles);
  analysis_.emplace(Analysis{prepared_->joint, prepared_->users, prepared_->roles, distance_, settings_});
}

std::vector<Int128> FrontierSteps::simulated_peaks(const RecomputeProblem& problem,
                                                   const std::vector<const KeptStorages*>& choices) const {
  StepSimulation simulation(*analysis_, problem, storages_);
  Evaluation evaluation(problem);
  std::vector<Int128> peaks;
  for (const KeptStorages* kept : choices) {
    evaluation.run(*kept);
    peaks.push_back(simulation.run(evaluation).peak_bytes);
  }
  return peaks;
}

std::vector<std::optional<PredictedCost>> FrontierSteps::costs(const RecomputeProblem& problem,
                                                               const std::vector<const KeptStorages*>& choices) {
  tag_random_calls(*prepared_);
  return predicted_costs(*analysis_, problem, prepared_->needs, choices);
}

}  // namespace fxcut
