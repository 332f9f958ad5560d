// A stack of policies from its JSON form (schemas/policy.schema.json, version 1).
#pragma once

#include "json/document.h"
#include "json/fields.h"
#include "policy/policy_stack.h"

namespace fxcut {

// The stack, outermost first. Throws Failure (BadInput) that lists the mistakes, each with its place: another version,
// unknown members (with the nearest), unknown policies, invalid regular expressions, a name in both lists of JAX's
// save_and_offload_only_these_names.
PolicyStack read_policies(const Document& document);

// The same for a part of a document; adds the mistakes to the list.
PolicyStack read_policies(const JsonValue& json, Mistakes& mistakes);

}  // namespace fxcut
