// The positions of values that cross: among the forward's outputs, and among the backward's placeholders.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "extract/forward_backward.h"
#include "finish/finish.h"
#include "graph/graph.h"
#include "memory/lifetimes.h"

namespace fxcut {

// Maps the name of a value to that of what crosses in its place: its copy in host memory, or in 8 bits. Views of the names in
// `finished`.
using CrossingNames = std::unordered_map<std::string_view, std::string_view>;
CrossingNames crossing_names(const Finished& finished);

// All values that cross, in the order of the forward's outputs, after the joint graph's own outputs: the crossing's values,
// its opaques, the scales of quantized values, the generator states in the order of the backward's placeholders, its symbols.
std::vector<CarriedValue> carried_values(const JointGraph& joint, const Crossing& crossing, const Finished& finished);

}  // namespace fxcut
