// What of a decision is worth a second look.
//
// Values that are saved though something else in memory differs from them by nothing but dtype or layout: a cast of a parameter
// that is there anyway, say, whose bytes a cut weighs like any others. And the one value that sets
// the peak above what is saved, with whether it is the loss's: of the size of the logits, and between the model's last product and
// the backward's first. Such a value goes where the loss is computed in chunks of rows.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "report/report.h"

namespace fxcut {

// `joint`: the graph that was decided on. `report` has its saved values and its memory.
std::vector<Remark> remarks_on(const Report& report, const Graph& joint);

}  // namespace fxcut
