// Max pooling (torch/_inductor/lowering.py, _low_memory_max_pool_with_offsets): of windows small enough that the maximum and its
// index are expressions of all their elements.
#pragma once

#include <vector>

#include "inductor/lowered_values.h"

namespace fxcut {

// Whether it pools windows small enough for inductor to inline them (should_fallback_max_pool_with_indices); others are lowered
// as any operator.
bool is_max_pooling(const Node& call);

// The reads of a window's elements, over the result. An input that itself reads several places is stored first.
std::vector<Access> reads_of_windows(LoweredValues& values, const Graph& graph, NodeId call);

// Whether an item of the result is stored because its expression is large: the index of the maximum, except for windows of four
// elements, and both items if the input is padded (more than realize_cpu_opcount_threshold).
bool is_stored_of_windows(const Node& call, std::size_t item);

}  // namespace fxcut
