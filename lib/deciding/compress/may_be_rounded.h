// The values that `--compress auto` may round: those of some classes of operators, or those that rounding was measured to change
// little.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "settings/measured_errors.h"
#include "settings/settings.h"

namespace fxcut {

// By node. With Settings::compress_classes the values that operators of these classes compute, and their views; with
// compress_error those whose error in compress_errors is at most that. Without either, all.
std::vector<bool> may_be_rounded(const Graph& graph, const Settings& settings);

// `graph` as it was read. Throws Failure (BadInput) that lists the measured values that the graph lacks, or has from another
// operator, and Failure (Usage) if they were measured for another dtype than compress_dtype.
void require_errors_of_graph(const MeasuredErrors& errors, const Graph& graph, const Settings& settings);

}  // namespace fxcut
