// A stack of policies from its JSON form (schemas/policy.schema.json, version 1).
#pragma once

#include "json/document.h"
#include "json/fields.h"
#include "policy/policy_stack.h"

namespace fxcut {

// The stack, outermost first. Throws Failure (BadInput) that lists the mistakes found, each with its place: another
// version, unknown members (with the nearest), unknown policies, regular expressions that are none, a name that JAX's
// save_and_offload_only_these_names has in both lists.
PolicyStack read_policies(const Document& document);

// The same of a part of a document; adds the mistakes to the list.
PolicyStack read_policies(const JsonValue& json, Mistakes& mistakes);

}  // namespace fxcut
