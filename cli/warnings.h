// What a run says beside its answer.
#pragma once

#include <iosfwd>
#include <string>

#include "graph/graph.h"

namespace fxcut {

// Warns of operators that nobody has described; `file_name` is where the graph stands.
void warn_of_unknown_operators(const JointGraph& joint, const std::string& file_name, std::ostream& err);

}  // namespace fxcut
