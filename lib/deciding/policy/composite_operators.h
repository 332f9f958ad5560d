// Operators that users write and joint graphs do not have: PyTorch decomposes them before or while it traces.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "graph/graph.h"

namespace fxcut {

// The operators, without overloads, that compute the composite operator of that name ("aten.linear") in a joint graph; empty if
// it is none. As torch._decomp and ATen's CompositeImplicitAutograd kernels have it in PyTorch 2.13 and 2.15.
std::span<const std::string_view> parts_of_composite(std::string_view name);

// The composite operator that a call alone stands for: "aten.linear.default" for a product whose last factor is a transposed
// input of the step, whatever casts, views and gathers are between (ATen's linear() in Linear.cpp). Other products are none.
std::optional<std::string_view> composite_of(const Graph& graph, const Node& call);

}  // namespace fxcut
