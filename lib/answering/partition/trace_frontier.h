// The trade-off of a graph: choices of what to save, from those that hold the least to those that recompute nothing.
#pragma once

#include <limits>
#include <vector>

#include "cost/estimators.h"
#include "frontier/frontier.h"
#include "graph/graph.h"
#include "policy/policy_stack.h"
#include "settings/settings.h"

namespace fxcut {

// A choice, and the simulated peak of its step (peak/step_simulation.h).
struct TracedPoint {
  FrontierPoint choice;
  Int128 peak_bytes = 0;
};

// The frontier solver's trade-off between memory and recomputation for `joint`, with at most `most_between` points besides
// corners: see frontier/frontier.h. Each is a simulated step, and larger graphs have more of them. Empty if the backward is.
// Costs are `estimator`'s. `joint` is as it was read; limits of memory in the settings are ignored.
std::vector<TracedPoint> trace_frontier(JointGraph joint, const Settings& settings, const Estimator& estimator,
                                        const PolicyStack& policies = {},
                                        std::size_t most_between = std::numeric_limits<std::size_t>::max());

// A choice, and its step: the peak, of inductor's code if that is predicted and of its operators otherwise, and the time.
struct TracedStep {
  FrontierPoint choice;
  Int128 peak_bytes = 0;
  double ms = 0;
};

// The same by peaks: the choices of that trade-off, with and without the price of saving, that have the fastest step within some
// peak, lowest peak first. At most `most` steps of each are predicted, spread over the simulated peaks.
std::vector<TracedStep> trace_peaks(JointGraph joint, const Settings& settings, const Estimator& estimator,
                                    const PolicyStack& policies, std::size_t most);

}  // namespace fxcut
