// What must not run twice, whatever that would save.
#pragma once

#include <vector>

#include "cost/analysis.h"
#include "cost/bans.h"

namespace fxcut {

// By node of the forward, why the frontier solver may not compute it again; Ban::None where it may. Unlike PyTorch's
// bans, which guess what is not worth it, these are about what would be wrong: inputs, side effects, collectives
// (unless unsafe_allow_optimization_of_collectives), what the user marked MUST_SAVE, what reads or makes memory that is
// written to later, and random operators whose generator cannot be set back: those in subgraphs, those that only the
// backward needs, Inductor's seeds, and all where the backward takes no gradient. With ban_recompute_products also what
// PyTorch's FLOP counter has a formula for. Recompute tags
// lift the bans that PyTorch lets them lift.
std::vector<Ban> never_recomputed(const Analysis& analysis);

}  // namespace fxcut
