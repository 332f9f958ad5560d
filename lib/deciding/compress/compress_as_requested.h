// The saved values that cross to the backward in fewer bits because a policy asks for it, whatever decided that they are saved.
#pragma once

#include <string>
#include <vector>

#include "graph/graph.h"
#include "policy/requested_forms.h"

namespace fxcut {

// Sets the form in the meta of the values that cross (Meta::compression), if it is not set yet and the value has
// Meta::compress_to, FormsOnRequest has a form for it, and it shares its memory with no other. Returns whether it set any.
bool compress_as_requested(JointGraph& joint, const std::vector<NodeId>& crossing);

// For each rule by which no value crosses in fewer bits, the reason: "policy 'base', rule 2: op aten.mm.*: compresses nothing:
// ...". For each other rule, the values that cross as they are because another saved value is in the same memory, which no rule
// can know.
std::vector<std::string> warnings_of_requests(const JointGraph& joint, const std::vector<NodeId>& crossing,
                                              const RequestedForms& requested);

}  // namespace fxcut
