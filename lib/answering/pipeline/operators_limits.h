// Which limits of the operators' peak to try in order to find decisions whose compiled code keeps to a limit.
//
// Compiled code takes another amount than operators do (inductor/predict_memory.h), and by how much depends on the decision. So
// the limit is corrected by what is predicted of each decision's code: by the ratio of the two at first, then between a limit
// whose code takes too much and one whose code fits, as the secant method does.
#pragma once

#include <optional>
#include <vector>

#include "settings/memory_limit.h"

namespace fxcut {

// Of a decision, in bytes.
struct PeaksOfDecision {
  double operators = 0;
  double code = 0;  // as predicted
};

// Without `peaks` no decision keeps to the limit.
struct TriedLimit {
  MemoryLimit limit;
  std::optional<PeaksOfDecision> peaks;
};

// The limit to try after those, the first of which is none, until a decision's code takes a little less than `most_bytes`.
// Nothing when the search is over: there is such a decision, or five have been made, or all limits between were tried.
std::optional<MemoryLimit> next_operators_limit(const std::vector<TriedLimit>& tried, double most_bytes);

// The same for the lowest peak of code: no limit, the operators' lowest peak, and a few limits somewhat above that, since the
// operators' lowest peak need not be that of code.
std::optional<MemoryLimit> next_operators_limit_for_lowest(const std::vector<TriedLimit>& tried);

}  // namespace fxcut
