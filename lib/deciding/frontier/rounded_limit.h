// A limit of bytes in whole units of one size.
//
// Layers repeat, so many storages have the same size d, and a limit usually allows a whole number of them and a fraction more.
// The bound of lagrangian_bound.h keeps that fraction of a storage, and no choice can. Any choice of storages of sizes b within
// the limit L also holds to this one, mixed integer rounding (Nemhauser and Wolsey, "Integer and Combinatorial Optimization",
// 1988):
//
//     sum of (floor(b / d) (d - r) + max(0, b mod d - r))  <=  floor(L / d) (d - r)     with r = L mod d
//
// in which sizes are whole numbers of units again, and to which the same bound applies.
#pragma once

#include <cstdint>
#include <vector>

#include "frontier/recompute_problem.h"

namespace fxcut {

struct RoundedLimit {
  RecomputeProblem problem;  // the same, with these sizes of storages
  std::int64_t limit = 0;
};

// `unit_bytes` is at least 1, `limit_bytes` at least 0. Every choice within `limit_bytes` is within the rounded limit.
RoundedLimit rounded_limit(RecomputeProblem problem, std::int64_t limit_bytes, std::int64_t unit_bytes);

// The sizes whose storages are the most bytes together: at most that many sizes, all within the limit.
std::vector<std::int64_t> common_sizes(const RecomputeProblem& problem, std::int64_t limit_bytes, std::size_t most);

}  // namespace fxcut
