// The parts of a decision that are worth a second look.
//
// These are values that are saved although something else in memory differs from them only by dtype or layout, such as a cast
// of a parameter, which a cut weighs like any other value; and the one value that sets the peak above the saved bytes, and
// whether it belongs to the loss: it then has the size of the logits and is made between the last product of the forward and
// the first of the backward. Computing the loss in chunks of rows avoids it.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "report/report.h"

namespace fxcut {

// `joint`: the graph that was decided on. `report` has its saved values and its memory.
std::vector<Remark> remarks_on(const Report& report, const Graph& joint);

}  // namespace fxcut
