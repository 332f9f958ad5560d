// Reasons, from what the cut was decided by.
#pragma once

#include "report/report.h"

namespace fxcut {

Why why_saved(const JointGraph& joint, const SavedValues& choice, NodeId id);
Why why_recomputed(const JointGraph& joint, const SavedValues& choice, NodeId id);
// Of a symbolic number that no cut saved but that sizes in the backward need.
Why why_bound(const JointGraph& joint, const SavedValues& choice, NodeId id);

}  // namespace fxcut
