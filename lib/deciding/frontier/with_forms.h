// The recompute problem with a third choice for a storage: to keep a form of fewer bits.
//
// For a storage whose only root x has a form there is a further item x', between x and all that uses it, in a storage of its own:
//
//     x -> x' -> users of x
//
// Keeping the storage of x' takes the bytes of the form and costs what making it and restoring x takes. If neither is kept, x' is
// recomputed from x at no cost, as if it were not there. So every choice in the larger problem is one of the three, at its cost,
// and solvers and bounds of the problem hold for it. Views of x are made from x': they are not saved themselves. Of a form that
// is fixed, x cannot be kept.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "compress/forms.h"
#include "cost/analysis.h"
#include "diagnostic/attempt.h"
#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "solve/saved_values.h"

namespace fxcut {

// `forms` is by node. The further storages come after those of `problem`.
RecomputeProblem with_forms(const RecomputeProblem& problem, const std::vector<std::optional<FormOfFewerBits>>& forms);

// With those that the settings' `compress` allows and policies ask for; `problem` itself if there are none.
RecomputeProblem with_allowed_forms(const Analysis& analysis, RecomputeProblem problem);

// The results of `find` for the problem without forms, by storage, extended to `larger`, which has forms: the additional storages
// have the default state, in which they are not kept. Empty without forms, or if `find` throws that there is no partition.
template <typename Find>
auto found_without_forms(const RecomputeProblem& larger, const Find& find) -> std::vector<decltype(find())> {
  if (larger.forms.empty()) return {};
  auto states = attempt(find);
  if (!states) return {};
  states->resize(larger.storages.size());
  return {*std::move(states)};
}

// The values that the evaluation's last run keeps in fewer bits.
std::map<NodeId, CompressedAs> compressed_in(const Evaluation& evaluation, const RecomputeProblem& problem);

}  // namespace fxcut
