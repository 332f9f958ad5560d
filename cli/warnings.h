// Warnings of a run.
#pragma once

#include <iosfwd>
#include <string>

#include "graph/graph.h"

namespace fxcut {

// Says on `err` that the graph's producer is a PyTorch whose answers are not known, and whose are given.
void warn_of_unknown_release(const JointGraph& joint, const std::string& file_name, std::ostream& err);

// Warns of operators that nobody has described; `file_name` is the graph's file.
void warn_of_unknown_operators(const JointGraph& joint, const std::string& file_name, std::ostream& err);

}  // namespace fxcut
