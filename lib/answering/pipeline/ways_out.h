// Decisions that need less memory than one that was made, and what they cost.
//
// They are corners of the trade-off between held bytes and recomputation (frontier/hull.h), spread over the bytes below those
// of the decision. Which bytes are held says little of the peak: so each corner's step is simulated, and of those whose peaks
// fall with their bytes a few are taken, spread over the peaks. Where the peak is that of compiled code, that is then predicted
// for each of these.
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"
#include "policy/policy_stack.h"
#include "report/holding_less.h"
#include "report/report.h"
#include "settings/settings.h"

namespace fxcut {

// The highest peak first; none of a whole step, of a graph without a backward, and where the settings estimate otherwise than
// by run times. Nothing where the solver refuses the graph, with any limit. `joint` is as it was read; limits of memory in
// `settings` are ignored; `decided` is the report on the decision.
std::optional<std::vector<WayOut>> find_ways_out(JointGraph joint, Settings settings, const PolicyStack& policies,
                                                 const Report& decided);

}  // namespace fxcut
