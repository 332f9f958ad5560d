// An ExportedProgram as torch.export.save stores it: JSON in the schema of torch/_export/serde/schema.py (version 8).
//
// There a call that returns several values has their names, and no operator.getitem takes them; a nested graph stands
// among the arguments of the call that it is for. Here both are nodes again, as torch.export.load makes them, so that
// the graph is the one that print() shows of the program.
#pragma once

#include <string>
#include <string_view>

#include "import/graph_source.h"

namespace fxcut {

// The program's graph, with its signature, the release of PyTorch and the numbers that symbols stood for. `name` is the
// graph's, `file` for messages. Throws Failure (BadInput) with the place in the JSON where it is no such program.
GraphSource read_exported_program(std::string_view json, const std::string& file, std::string name);

}  // namespace fxcut
