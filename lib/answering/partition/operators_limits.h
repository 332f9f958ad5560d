// The limits of the operators' peak to try in order to find decisions whose compiled code keeps to a limit.
//
// Compiled code takes a different amount than operators do (inductor/predict_memory.h), and the difference depends on the
// decision. So the limit is corrected by the prediction for each decision's code: first by the ratio of the two, then by the
// secant method between a limit whose code takes too much and one whose code fits.
#pragma once

#include <optional>
#include <vector>

#include "partition/try_limits.h"
#include "settings/memory_limit.h"

namespace fxcut {

// Peaks of a decision, in bytes.
struct PeaksOfDecision {
  double operators = 0;
  double code = 0;  // as predicted
};

using TriedPeaks = TriedLimit<PeaksOfDecision>;

// The limit to try after those, the first of which is none, until a decision's code takes a little less than `most_bytes`.
// nullopt once the search is over: the decision without a limit fits, a decision is that close, five have been made, nothing fits
// at the operators' lowest peak, or there is no limit left between a fitting and an exceeding one.
std::optional<MemoryLimit> next_operators_limit(const std::vector<TriedPeaks>& tried, double most_bytes);

// Three or seven limits above the operators' lowest peak.
enum class Spread { Few, Many };

// The limit to try after those, whatever their decisions' code takes: none, the operators' lowest peak, and from there upwards.
// nullopt once all were tried, or if there is no lowest peak.
std::optional<MemoryLimit> next_operators_limit_upwards(const std::vector<TriedPeaks>& tried, Spread spread);

}  // namespace fxcut
