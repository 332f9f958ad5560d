// How many operators a call adds to an expression (OpCounterCSE); by their number inductor decides whether to store it.
#pragma once

#include <span>

#include "graph/graph.h"
#include "inductor/kernels.h"
#include "inductor/lowered_values.h"

namespace fxcut {

// Adds the call's own operators, its numeric arguments, and the conversions of its inputs to the expression of its result.
void count_operators(Inlined& expression, const Node& call, std::span<const LoweredValue> inputs, const InductorRules& rules);

}  // namespace fxcut
