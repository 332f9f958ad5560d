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

// Peaks of a decision, in bytes.
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
// Nothing when the search is over: what is decided without a limit fits, a decision is that near, five have been made, the
// operators' lowest peak has been tried and still nothing fits, or there is no limit between what fits and what does not.
std::optional<MemoryLimit> next_operators_limit(const std::vector<TriedLimit>& tried, double most_bytes);

// Three or seven limits above the operators' lowest peak.
enum class Spread { Few, Many };

// The limit to try after those, whatever their decisions' code takes: none, the operators' lowest peak, and from there upwards.
// Nothing when all were tried, or there is no lowest peak.
std::optional<MemoryLimit> next_operators_limit_upwards(const std::vector<TriedLimit>& tried, Spread spread);

}  // namespace fxcut
