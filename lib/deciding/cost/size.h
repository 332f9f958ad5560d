// The size of a node's value.
#pragma once

#include <optional>

#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

// The bytes of the value's tensors, sizes by their hints; 1 for a symbolic number; 0 for operators that return nothing
// (PyTorch's _size_of). None if PyTorch has no size: for a value that is not described, None, a number, the backward
// state, and a script object unless unsafe_treat_script_objects_as_zero_size is set.
std::optional<std::int64_t> find_size(const Node& node, const Settings& settings);

// As above, and 0 for a device in releases that count it; throws Failure (NoPartition) naming the node without a size.
std::int64_t size_of(const Node& node, const Settings& settings, Release release);

}  // namespace fxcut
