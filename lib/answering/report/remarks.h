// What of a decision is worth a second look.
//
// Values that are saved although something else in memory differs from them only by dtype or layout: a cast of a parameter, say,
// which a cut weighs like any other value. And the one value that sets the peak above what is saved, and whether it is the
// loss's: of the size of the logits, between the last product of the forward and the first of the backward. Such a value is
// avoided by computing the loss in chunks of rows.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "report/report.h"

namespace fxcut {

// `joint`: the graph that was decided on. `report` has its saved values and its memory.
std::vector<Remark> remarks_on(const Report& report, const Graph& joint);

}  // namespace fxcut
