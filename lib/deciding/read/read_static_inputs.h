// The inputs that are always resident, by a joint graph's list of their names.
//
// PyTorch numbers its static inputs as the step has them, and the partitioner looks the numbers up among the joint graph's
// primals, which are others: each DTensor has become its local tensor and, behind it, its mesh, an opaque object; tokens of
// effects have come before all inputs. From the first mesh or token on, the numbers are those of other inputs, and so are the
// names in a list made of them. That shows where the list has a mesh or a token, which is no parameter. The names are then taken
// for the numbers that they were made of, and these for the step's own inputs.
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"
#include "json/fields.h"

namespace fxcut {

struct StaticInputs {
  std::vector<NodeId> resident;      // in order
  std::optional<NodeId> impossible;  // the first in the list that cannot be resident: the list was made as above
  bool is_put_right = false;         // else `resident` is the list without such; there are fewer inputs than it counts
};

// The static inputs of the graph as read from `root`. Names that match no placeholder are ignored.
StaticInputs static_inputs_of(const JsonValue& root, const Graph& graph);

// Marks them in the graph. Mistakes: a list or entries of another type, unknown names unless `may_lack_some`.
void read_static_inputs(const JsonValue& root, bool may_lack_some, Graph& graph, Mistakes& mistakes);

}  // namespace fxcut
