// Reductions (torch/_inductor/lowering.py, make_reduction; ir.py, Reduction.create).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "inductor/lowered_values.h"

namespace fxcut {

enum class Reduced : std::uint8_t {
  Stored,    // it has a kernel
  Unrolled,  // of so few elements that it is an expression: nothing is added
  NoTensor,  // it reduces no tensor: nothing is added
};

// Adds the kernels of a reduction, into which its input is inlined, and holds its results: what a mean or a variance divides is
// stored, and the quotient is an expression.
Reduced reduce(LoweredValues& values, const Graph& graph, NodeId call, std::span<const Tensor* const> results,
               const InductorRules& rules);

// The reads of a reduction that is an expression: each of its input's for each element that it reduces.
std::vector<Access> unrolled_reads(const LoweredValues& values, const Graph& graph, NodeId call, const Tensor& result);

}  // namespace fxcut
