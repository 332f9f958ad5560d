#include "pipeline.h"

#include <utility>
#include <variant>

#include "classify/functional.h"
#include "classify/roles.h"
#include "cost/storage.h"
#include "extract/forward_backward.h"
#include "finish/finish.h"
#include "normalise/common_subexpressions.h"
#include "normalise/dead_code.h"
#include "policy/budget.h"
#include "policy/recompute_tags.h"
#include "solve/default_saved_values.h"
#include "solve/saved_values.h"

namespace fxcut {
namespace {

// What is saved, over the graph that it was decided on: normalised, its tags resolved.
struct Decision {
  JointGraph joint;
  Users users;
  Roles roles;
  SavedValues choice;
  FinishingNeeds needs;
};

FinishingNeeds needs_of(const Graph& graph, Partitioner partitioner) {
  return {partitioner, has_recomputable_ops(graph), has_recomputable_rng_ops(graph), false};
}

// PyTorch's default_partition up to its decision.
Decision decide_by_default(JointGraph joint, const Settings& settings) {
  FinishingNeeds needs = needs_of(joint.graph, Partitioner::Default);
  resolve_recompute_tags(joint, settings, Partitioner::Default);
  Users users(joint.graph);
  Roles roles = classify(joint, users);
  needs.backward_is_empty = roles.backward_is_empty;
  SavedValues choice = default_saved_values(joint, users, needs.has_regions);
  return {std::move(joint), std::move(users), std::move(roles), std::move(choice), needs};
}

// PyTorch's min_cut_rematerialization_partition up to its decision, where there is a backward; where it is empty, there is
// nothing to cut, and what is left is for another to decide.
std::variant<Decision, JointGraph> cut(JointGraph joint, const Settings& settings) {
  // Normalise: only what matters, each thing once.
  joint = eliminate_dead_code(std::move(joint));
  if (settings.cse) joint = merge_common_subexpressions(std::move(joint));

  // Policy: what the user's tags and the operators' nature force.
  FinishingNeeds needs = needs_of(joint.graph, Partitioner::MinCut);
  resolve_recompute_tags(joint, settings, Partitioner::MinCut);

  // Classify: who needs what, and how far it is from the backward. From here on the joint graph does not change.
  Users users(joint.graph);
  Roles roles = classify(joint, users);
  if (roles.backward_is_empty) return joint;
  const std::vector<std::int64_t> distance = distance_from_backward(joint.graph, users, roles);

  // Decide: the values to save.
  const Analysis analysis{joint, users, roles, distance, settings};
  SavedValues choice = choose_saved_values(analysis, resolve_budget(joint, roles, settings));
  return Decision{std::move(joint), std::move(users), std::move(roles), std::move(choice), needs};
}

Decision decide_by_min_cut(JointGraph joint, const Settings& settings) {
  while (true) {
    const std::size_t recomputable = count_recomputable_ops(joint.graph);
    auto decided = cut(std::move(joint), settings);
    if (auto* decision = std::get_if<Decision>(&decided)) return std::move(*decision);
    joint = std::get<JointGraph>(std::move(decided));
    if (!must_fall_back_to_min_cut(joint)) return decide_by_default(std::move(joint), settings);
    if (count_recomputable_ops(joint.graph) == recomputable) throw neither_partitioner_decides(joint);
  }  // again, with fewer tags
}

Decision decide(JointGraph joint, const Settings& settings) {
  const bool by_default = settings.partitioner == Partitioner::Default && !must_fall_back_to_min_cut(joint);
  return by_default ? decide_by_default(std::move(joint), settings) : decide_by_min_cut(std::move(joint), settings);
}

}  // namespace

Partition partition(JointGraph joint, const Settings& settings) {
  const StorageBytes storages = storage_bytes(joint.graph);

  // Normalise, classify and decide, as one of PyTorch's partitioners does.
  const Decision decision = decide(std::move(joint), settings);

  // Extract and finish: two graphs that run.
  const ForwardBackward sides =
      plan_forward_backward(decision.joint, decision.users, decision.roles, decision.choice.saved);
  Finished finished = finish(sides, decision.joint, settings, decision.needs);

  Report report = make_report(decision.joint, storages, settings, decision.choice, sides.crossing, finished);
  return {std::move(finished.graphs), std::move(finished.subgraphs), std::move(report)};
}

}  // namespace fxcut
