// Reductions (torch/_inductor/lowering.py, make_reduction; ir.py, Reduction.create).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "inductor/lowered_values.h"

namespace fxcut {

enum class Reduced : std::uint8_t {
  Stored,    // it has a kernel
  Unrolled,  // an expression, since it has few elements: nothing is added
  NoTensor,  // it reduces no tensor: nothing is added
};

// Adds the kernels of a reduction, into which its input is inlined, and holds its results: the sum behind a mean or a variance is
// stored, and the quotient is an expression.
Reduced reduce(LoweredValues& values, const Graph& graph, NodeId call, std::span<const Tensor* const> results,
               const InductorRules& rules);

// The reads of a reduction that is an expression: each read of its input, for each reduced element.
std::vector<Access> unrolled_reads(const LoweredValues& values, const Graph& graph, NodeId call, const Tensor& result);

}  // namespace fxcut
