#include "graph/invariants.h"
#include "partition/passes.h"

namespace fxcut {

#ifdef NDEBUG
void check_pass(std::string_view, const Graph&) {}
#else
void check_pass(std::string_view pass, const Graph& graph) { check_invariants(pass, graph); }
#endif

}  // namespace fxcut
