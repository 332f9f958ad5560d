// Writes and other effects of the two sides, against those of the joint graph.
#pragma once

#include <vector>

#include "verify/mismatch.h"
#include "verify/evaluator.h"

namespace fxcut {

// Adds what does not hold:
// - each write of the joint graph runs once, on the side that its tag names, and no other write does;
// - whatever else has an effect, such as a check, runs on one side at least, and nothing does that the joint graph
// lacks;
// - on each side effects stand in the joint graph's order.
// A write's term says what was written to its arguments before, so writes to the same memory are in order as well.
void compare_effects(const EvaluationContext& context, const std::vector<Effect>& joint, const std::vector<Effect>& forward,
                     const std::vector<Effect>& backward, std::vector<Mismatch>& mismatches);

}  // namespace fxcut
