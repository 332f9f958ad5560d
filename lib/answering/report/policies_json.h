// A stack of policies as JSON (schemas/policy.schema.json), the inverse of read_policies.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "policy/policy_stack.h"

namespace fxcut {

nlohmann::ordered_json policies_json(const PolicyStack& stack);

}  // namespace fxcut
