// How near the frontier solver's decision is to the best within its limit.
#pragma once

#include <string>

#include "graph/int128.h"
#include "report/report.h"
#include "settings/settings.h"

namespace fxcut {

// "the least recomputation within it, proven", or "at most 69.0 us, 0.78 % of a step, above the least recomputation within it".
// `report` has the facts of such a decision; no decision within the limit costs less than `bound`, in the estimator's unit.
std::string describe_quality(const Report& report, Int128 bound);

// "69.0 us, 0.78 % of a step,": how far a decision that costs `run_cost`, in the settings' estimator's unit, is above `bound`.
// `step_ms`: the step's time; 0: unknown. Costs that are no time are shown as a share of the bound.
std::string show_above(Int128 run_cost, Int128 bound, double step_ms, const Settings& settings);

}  // namespace fxcut
