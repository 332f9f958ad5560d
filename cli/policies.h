// Policies as the command line abbreviates them.
#pragma once

#include <string>

#include "policy/policy_stack.h"

namespace fxcut {

// A rule for each of `names`, which commas separate; `option` is what the policy is called. Throws Failure (Usage)
// where a name is empty.
Policy policy_on_names(const std::string& option, const std::string& names, CheckpointPolicy checkpoint_policy);

// "dots_saveable", or a name with its list: "save_only_these_names:q,k"; "save_and_offload_only_these_names:q/k" has
// two. Throws Failure (Usage) where there is no such policy, or it takes no such list.
Policy jax_policy(const std::string& text);

}  // namespace fxcut
