// What the text of a graph does not say of its values: where their memory is, and what calls with several results
// return.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "import/text_graph.h"

namespace fxcut {

struct AssumedValues {
  std::vector<std::optional<Value>> values;  // by node; nothing where the text has none
  std::size_t results_without_type = 0;      // of calls with several results, those that no node takes
};

// The values of the nodes, tensors with storages that are numbered from `next_storage` on. A view, or an argument that
// was written to, is in its argument's memory by the operator's schema; all else has memory of its own. The results of
// a call are those that operator.getitem takes of it.
AssumedValues assume_values(const TextGraph& graph, std::int64_t& next_storage);

}  // namespace fxcut
