// Sums that inductor computes within a matrix product (torch/_inductor/fx_passes/post_grad.py, addmm).
#pragma once

#include <optional>
#include <vector>

#include "graph/graph.h"
#include "inductor/kernels.h"

namespace fxcut {

// For each node: if it is a sum that becomes an `addmm`, the product that vanishes, which only the sum reads. On a GPU a sum with
// only pointwise readers stays apart, in newer releases only if it adds a bias (should_prefer_unfused_addmm). Linear in the
// graph. `users`: of the graph.
std::vector<std::optional<NodeId>> added_products(const Graph& graph, const Users& users, const InductorRules& rules);

}  // namespace fxcut
