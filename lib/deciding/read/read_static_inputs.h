// The inputs that are always resident, by a joint graph's list of their names.
//
// PyTorch numbers its static inputs as in the step, but the partitioner looks the numbers up among the joint graph's primals,
// which differ: each DTensor has become its local tensor followed by its mesh, an opaque object, and tokens of effects precede
// all inputs. From the first mesh or token on, the numbers, and the names in a list made from them, are those of other inputs.
// This is detected if the list has a mesh or a token, which is not a parameter. The names are then converted back to their
// numbers, and these taken as the step's own inputs.
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"
#include "json/fields.h"

namespace fxcut {

struct StaticInputs {
  std::vector<NodeId> resident;      // in order
  std::optional<NodeId> impossible;  // the first in the list that cannot be resident: the list was made as above
  bool is_put_right = false;         // false: `resident` is the list without these; there are fewer inputs than it counts
};

// The static inputs of the graph as read from `root`. Names that match no placeholder are ignored.
StaticInputs static_inputs_of(const JsonValue& root, const Graph& graph);

// Marks them in the graph. Mistakes: a list or entries of another type, unknown names unless `may_lack_some`.
void read_static_inputs(const JsonValue& root, bool may_lack_some, Graph& graph, Mistakes& mistakes);

}  // namespace fxcut
