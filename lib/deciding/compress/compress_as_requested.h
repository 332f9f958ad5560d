// The saved values of which a policy asks that they cross to the backward in fewer bits, whoever decided what is saved.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/requested_forms.h"

namespace fxcut {

// Has the meta of the values that cross say in which form (Meta::compression), where it does not say so yet: those with
// Meta::compress_to that FormsOnRequest has a form for, and that share their memory with no other. Returns whether there are any.
bool compress_as_requested(JointGraph& joint, const std::vector<NodeId>& crossing);

// Of each rule by which no value crosses in fewer bits, why: "policy 'base', rule 2: op aten.mm.*: compresses nothing: ...". Of
// the others, what crosses as it is since another saved value is in the same memory, which no rule can know.
std::vector<std::string> warnings_of_requests(const JointGraph& joint, const std::vector<NodeId>& crossing,
                                              const RequestedForms& requested);

}  // namespace fxcut
