// Sums that inductor computes within a matrix product (torch/_inductor/fx_passes/post_grad.py, addmm).
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"
#include "inductor/kernels.h"

namespace fxcut {

// For each node: of a sum that becomes one `addmm`, the product that vanishes, which the sum alone reads. On a GPU a sum whose
// readers are all pointwise stays apart, or only that of a bias (should_prefer_unfused_addmm). Linear in the graph.
std::vector<std::optional<NodeId>> added_products(const Graph& graph, const InductorRules& rules);

}  // namespace fxcut
