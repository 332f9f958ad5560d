// PyTorch's decisions on one graph under several settings, for comparison.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cost/estimators.h"
#include "graph/graph.h"
#include "policy/policy_stack.h"
#include "policy/setting_rows.h"
#include "report/pareto.h"

namespace fxcut {

// Settings to set on top of those of the run.
using SettingChanges = std::vector<std::pair<std::string, SettingValue>>;

// No change; aggressive_recomputation; no bans on recomputing at all; and memory budgets from 0.9 down to 0.
std::vector<SettingChanges> usual_changes();

// A point for each of the changes, under the policies. Costs are `estimator`'s, in its shown unit. Settings under which PyTorch
// has no partition are left out. With `by_peak`, each point has its step.
std::vector<PyTorchPoint> pytorch_points(const JointGraph& joint, const Settings& settings,
                                         const PolicyStack& policies, const Estimator& estimator,
                                         const std::vector<SettingChanges>& all_changes,
                                         ParetoBy by = ParetoBy::SavedBytes);

}  // namespace fxcut
