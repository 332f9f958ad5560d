#include "peak/rest_of_backward.h"

#include <vector>

namespace fxcut {

std::vector<bool> is_in_memory_unsaved(const RecomputeProblem& problem, const Analysis& analysis) {
  std::vector<bool> is_used(problem.items.size(), false);
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    if (problem.items[i].demanded) is_used[i] = true;
    if (analysis.node(problem.items[i].node).calls("operator.getitem")) continue;
    for (const ItemIndex input : problem.inputs_of(i)) is_used[input] = true;
  }
  for (ItemIndex i = 0; i < problem.items.size(); ++i) is_used[i] = is_used[i] && !problem.items[i].savable;
  return is_used;
}

namespace {

RecomputeProblem needed_after(RecomputeProblem problem, const Analysis& analysis, const StepSimulation& simulation,
                              BackwardPosition position) {
  const std::vector<Span> uses = find_uses(problem, analysis, simulation, 0);
  const std::vector<bool> is_free = is_in_memory_unsaved(problem, analysis);
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    Item& item = problem.items[i];
    // Values without uses are returned.
    item.demanded = item.demanded && (uses[i].first == kNever || uses[i].last > position);
    if (is_free[i]) item.release();
  }
  without_saving_costs(problem);
  return problem;
}

}  // namespace

RestOfBackward::RestOfBackward(const RecomputeProblem& whole, const Analysis& analysis, const StepSimulation& simulation,
                               BackwardPosition position)
    : problem(needed_after(whole, analysis, simulation, position)),
      unavoidable(find_unavoidable(whole, analysis, simulation, position)) {}

}  // namespace fxcut
