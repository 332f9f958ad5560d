// Facts about values that the text of a graph lacks: their memory, and the results of calls with several.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "import/text_graph.h"

namespace fxcut {

struct AssumedValues {
  std::vector<std::optional<Value>> values;  // by node; nothing if the text has none
  std::size_t results_without_type = 0;      // unused results of calls with several
};

// The values of the nodes, tensors with storages numbered from `next_storage`. By the operator's schema a view and a mutated
// argument share their argument's memory; all other values have memory of their own. The results of a call are those that
// operator.getitem takes.
AssumedValues assume_values(const TextGraph& graph, std::int64_t& next_storage);

}  // namespace fxcut
