// What is saved, over the graph that it was decided on.
#pragma once

#include <string>

#include "cost/storage.h"
#include "extract/roles.h"
#include "finish/finish.h"
#include "graph/checkpoint_policy.h"
#include "graph/fingerprint.h"
#include "graph/graph.h"
#include "policy/match_policies.h"
#include "policy/policy_stack.h"
#include "policy/resolve_policies.h"
#include "solve/saved_values.h"

namespace fxcut {

struct Decision {
  JointGraph joint;  // normalised, its tags resolved; those of random calls that are recomputed are set with the decision
  Users users;
  Roles roles;
  SavedValues choice;
  FinishingNeeds needs;
  PolicyOutcome tagged;
  MatchedPolicies matched = {};
  StorageBytes storages = {};  // of the graph as it was read
  PolicyStack policies = {};
  GraphFingerprint fingerprint = {};
};

// A recompute tag that holds whatever the graph and the policies say of the node: to ask what would be if.
struct ForcedTag {
  std::string node;  // of the graph that is decided on
  CheckpointPolicy tag = CheckpointPolicy::MustSave;
};

}  // namespace fxcut
