// What of the partition would compute something else, and what was changed so that it does not.
#pragma once

#include <vector>

#include "report/report.h"

namespace fxcut {

// Fills `unsound` and `repairs`, and warns of both in `warnings`.
void describe_soundness(Report& report, const JointGraph& joint, const SavedValues& choice,
                        const std::vector<Unsound>& unsound);

}  // namespace fxcut
