// Facts that the text of a graph lacks: whether a node was traced in the forward or the backward, the memory of values, and
// the results of calls with several.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "import/text_graph.h"

namespace fxcut {

// For each node, a guess at node.meta["partitioner_tag"]. The forward is traced first: it ends with the last node that its
// outputs need, and the values of its nodes that autograd keeps. Later nodes, and nodes that depend on a tangent, are the
// backward's; but later writes to an input that depend on no tangent must be in the forward. The output has no tag.
std::vector<PartitionerTag> assume_phases(const TextGraph& graph, std::size_t num_forward_outputs);

struct AssumedValues {
  std::vector<std::optional<Value>> values;  // by node; nullopt if the text has none
  std::size_t results_without_type = 0;      // unused results of calls with several
};

// The values of the nodes, tensors with storages numbered from `next_storage`. By the operator's schema a view and a mutated
// argument share their argument's memory; all other values have memory of their own. The results of a call are those that
// operator.getitem takes.
AssumedValues assume_values(const TextGraph& graph, std::int64_t& next_storage);

}  // namespace fxcut
