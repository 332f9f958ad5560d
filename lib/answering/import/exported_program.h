// An ExportedProgram as torch.export.save stores it: JSON in the schema of torch/_export/serde/schema.py (version 8).
//
// In it a call with several results has their names, without operator.getitem, and a nested graph is an argument of the call
// that uses it. Both become nodes again, as torch.export.load makes them, so that the graph is the one that print() shows.
#pragma once

#include <string>
#include <string_view>

#include "import/graph_source.h"

namespace fxcut {

// The program's graph, with its signature, the release of PyTorch and the hints of symbols. `name` is the graph's, `file` for
// messages. Throws Failure (BadInput) with the place in the JSON if it is not such a program.
GraphSource read_exported_program(std::string_view json, const std::string& file, std::string name);

}  // namespace fxcut
