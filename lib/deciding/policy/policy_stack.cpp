#include "policy/policy_stack.h"

namespace fxcut {

Policy must_save_all() { return {"must_save_all", RuleList{{}, CheckpointPolicy::MustSave}}; }

// A preference, so that a MUST of another level stands.
Policy recompute_all() { return {"recompute_all", RuleList{{}, CheckpointPolicy::PreferRecompute}}; }

}  // namespace fxcut
