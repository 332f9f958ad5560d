// An order of deciding on the items, one after the other and each after its users, in which at any time few of the others
// are needed by those before.
//
// The execution order backwards is not such: values that only the backward uses are at the end of a joint graph, far from
// the values that they are made of, and inputs at its beginning. So a value that the forward does not run comes right before
// the last one that it is made of, and a value that needs no other comes right after its first user in the forward.
#pragma once

#include <vector>

#include "frontier/recompute_problem.h"

namespace fxcut {

std::vector<ItemIndex> decision_order(const RecomputeProblem& problem);

}  // namespace fxcut
