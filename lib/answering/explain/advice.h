// What would need less memory than a decision, as far as that is known without deciding again.
#pragma once

#include <string>
#include <vector>

#include "pipeline/pipeline.h"
#include "report/describe_totals.h"

namespace fxcut {

// The row that `explain --top` is expected to put first, with its bytes and FLOPs by estimate; under a limit of the frontier
// solver, what a lower one costs; and the command that shows the whole trade-off. Nothing if no activations are held, and
// nothing for a replay. `graph` is the graph's name for the shell, `options` the options of the decision.
std::vector<Advice> advise(const Partition& partition, const std::string& graph, const std::string& options);

}  // namespace fxcut
