// The effects that are observable. A write that no output, no memory of the caller and no check depends on changes nothing: it
// may be lost, and the written value may be wrong.
#pragma once

#include <vector>

#include "verify/evaluator.h"
#include "verify/terms.h"

namespace fxcut {

// By term: whether it can be observed through `seen`, the outputs and the final contents of the caller's memory, or through an
// effect other than a write.
std::vector<bool> noticed_terms(const Terms& terms, std::vector<Term> seen, const std::vector<Effect>& effects);

// The effects without unobservable writes. Writes to memory without a storage number in the joint graph count, since
// its readers are unknown.
std::vector<Effect> noticed_effects(const std::vector<Effect>& effects, const std::vector<bool>& is_noticed);

}  // namespace fxcut
