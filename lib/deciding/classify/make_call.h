// New calls for passes that add nodes to a graph.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

// The node that calls `callee`, which has to outlive the graph, with `arguments`, whose references are positions in `inputs`.
Node make_call(const Operator& callee, Arguments arguments, std::vector<NodeId> inputs, std::shared_ptr<const Value> value,
               std::string name);

// References to the first `count` inputs, in order, as positional arguments.
Arguments references(std::size_t count);

// Arguments of these kinds.
Argument int_argument(std::int64_t number);
Argument float_argument(double number);
Argument bool_argument(bool is_true);
Argument dtype_argument(const Dtype& dtype);
Argument device_argument(const std::string& device);

}  // namespace fxcut
