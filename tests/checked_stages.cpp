// Linked in the place of the library's check_stage.cpp: each stage's graph is checked, in release builds as well.
#include "graph/invariants.h"
#include "pipeline/stages.h"

namespace fxcut {

void check_stage(std::string_view stage, const Graph& graph) { check_invariants(stage, graph); }

}  // namespace fxcut
