// The gradient of a ReLU, threshold_backward(grad, y, 0), and the boolean that is all it needs of the ReLU's result: le(y, 0).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "graph/graph.h"

namespace fxcut {

// The value at whose sign a gradient looks, before it was detached; nullopt of other nodes, and of other thresholds than 0.
std::optional<NodeId> value_of_gradient(const Graph& graph, const Node& node);

// "relu_le" of "relu".
std::string name_of_signs(const Node& value);

// The call that says of each element of `value`, which is node `id`, whether it is at most 0, in a storage of that number.
Node signs_of(const Node& value, NodeId id, std::string name, std::int64_t storage);

}  // namespace fxcut
