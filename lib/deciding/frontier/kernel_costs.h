// The costs of recomputing and keeping, beside the price of each operator, where a compiler fuses operators into kernels.
//
// A kernel has what it computes in registers. What the forward saves, it writes to memory: its bytes at the memory's rate. That
// costs nothing more where the forward has the value in memory in any case: as an input, for a library's call, or because kernels
// one after the other use it. That the backward reads its bytes is no price: it reads what it recomputes the value from else.
// A CPU writes and reads Booleans element by element, which takes longer than their bytes; both are priced, and that a kernel of
// the forward which uses one reads it back.
//
// Recomputing a reduction reads once more what it reduces: what uses its result waits for it, and is no part of the kernels that
// read that for something else.
#pragma once

#include "cost/analysis.h"
#include "cost/estimators.h"
#include "frontier/recompute_problem.h"
#include "settings/settings.h"

namespace fxcut {

// Whether that is priced: the settings neither name an estimator nor say that no compiler fuses the operators.
bool prices_kernels(const Settings& settings);
// Whether costs by this estimator are: where that is so, and it is the solver's own.
bool prices_kernels(const Settings& settings, const Estimator& estimator);

// Sets the storages' keep_cost and raises the items' run_cost, in picoseconds.
void price_kernels(RecomputeProblem& problem, const Analysis& analysis);

}  // namespace fxcut
