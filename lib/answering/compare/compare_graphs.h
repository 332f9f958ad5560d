// The differences between two graphs: joint graphs, or the same side of two partitions.
#pragma once

#include "compare/difference.h"
#include "read/read_graph.h"

namespace fxcut {

// "joint graph", "forward", "backward".
std::string_view name_of(GraphForm form);

// From `before` to `after`, which are of one form.
Difference compare_graphs(const AnyGraph& before, const AnyGraph& after);

}  // namespace fxcut
