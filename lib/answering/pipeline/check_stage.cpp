#include "graph/invariants.h"
#include "pipeline/stages.h"

namespace fxcut {

#ifdef NDEBUG
void check_stage(std::string_view, const Graph&) {}
#else
void check_stage(std::string_view stage, const Graph& graph) { check_invariants(stage, graph); }
#endif

}  // namespace fxcut
