// Where what crosses stands: among the forward's outputs, and among the backward's placeholders.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "extract/forward_backward.h"
#include "finish/finish.h"
#include "graph/graph.h"
#include "memory/lifetimes.h"

namespace fxcut {

// By the name of a value, that of the copy on the host that crosses in its place. Views of the candidates' names.
using HostNames = std::unordered_map<std::string_view, std::string_view>;
HostNames host_names(const std::vector<OffloadCandidate>& offloads);

// All that crosses, in the order of the forward's outputs, behind those that the joint graph has: the crossing's
// values, its opaques, the states of random generators in the order of the backward's placeholders, its symbols.
std::vector<CarriedValue> carried_values(const JointGraph& joint, const Crossing& crossing, const Finished& finished);

}  // namespace fxcut
