// The decision on a graph, with the graph.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>

#include "cost/size.h"
#include "extract/forward_backward.h"
#include "extract/roles.h"
#include "finish/finish.h"
#include "graph/checkpoint_policy.h"
#include "graph/fingerprint.h"
#include "graph/graph.h"
#include "policy/match_policies.h"
#include "policy/policy_stack.h"
#include "policy/resolve_policies.h"
#include "settings/settings.h"
#include "solve/saved_values.h"

namespace fxcut {

struct Decision {
  JointGraph joint;  // normalised, with resolved tags; the decision sets the tags of recomputed random calls
  Users users;
  Roles roles;
  SavedValues choice;
  FinishingNeeds needs;
  PolicyOutcome tagged;
  MatchedPolicies matched = {};
  StorageBytes storages = {};  // of the graph as it was read
  PolicyStack policies = {};
  GraphFingerprint fingerprint = {};
  std::optional<Graph> by_pytorch = {};  // for a whole step that its own tags decide: the result of PyTorch's pass
};

// A recompute tag that overrides the graph and the policies, to find the effect of the opposite decision.
struct ForcedTag {
  std::unordered_set<std::string> nodes;  // of the graph that is decided on
  CheckpointPolicy tag = CheckpointPolicy::MustSave;
  std::unordered_set<std::string> saved = {};  // without the tag; a long search starts there
};

// The forward and backward of the decision. Throws Failure (NoPartition) if the backward lacks a value.
ForwardBackward plan(const Decision& decision);

// Saves more values, keeps effects and moves copies until the partition computes the same values as the joint graph, or none of
// that can repair it. A call whose generator's state is saved is tagged to be recomputed. Decisions to which the setting `sound`
// does not apply are returned unchanged.
Decision make_sound(Decision decision, const Settings& settings);

}  // namespace fxcut
