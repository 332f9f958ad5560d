// The report of a replay: what was found is that of the run that decided, as long as the decision is the same.
#pragma once

#include "report/report.h"

namespace fxcut {

// Gives the rows of `report` the reasons that `decision` has for them. Where the totals are the same, the cuts, the
// knapsack and the frontier's facts are as well; else the decision was edited, which `report` then warns of, as it does
// of rows that nothing needs. Throws Failure (NoPartition) for a row that was to go to the host and did not.
void restore_reasons(Report& report, const Report& decision);

}  // namespace fxcut
