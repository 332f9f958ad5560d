// The recompute problem with a third choice for a storage: to keep a form of fewer bits.
//
// For a storage whose only root x has a form there is a further item x', between x and all that uses it, in a storage of its own:
//
//     x -> x' -> users of x
//
// Keeping the storage of x' takes the bytes of the form and costs what making it and restoring x takes. If neither is kept, x' is
// recomputed from x at no cost, as if it were not there. So every choice in the larger problem is one of the three, at its cost,
// and solvers and bounds of the problem hold for it. Views of x are made from x': they are not saved themselves.
#pragma once

#include <optional>
#include <vector>

#include "compress/forms.h"
#include "frontier/recompute_problem.h"

namespace fxcut {

struct ProblemWithForms {
  RecomputeProblem problem;
  std::vector<std::optional<FormOfFewerBits>> form_of;  // by item; none of the original ones
};

// `forms` is by node.
ProblemWithForms with_forms(const RecomputeProblem& problem, const std::vector<std::optional<FormOfFewerBits>>& forms);

}  // namespace fxcut
