// Calls of libraries: matrix products, convolutions, attention, and all else that inductor generates no kernels for
// (torch/_inductor/ir.py, ExternKernel). Their inputs and their results are buffers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "inductor/lowered_values.h"

namespace fxcut {

// In which layout convolutions and their backwards take what they read.
enum class ConvolutionLayout : std::uint8_t {
  AsTraced,      // on a GPU, where channels last do not pay
  ChannelsLast,  // copies of what is not (ExternKernel.require_channels_last)
  OfGradients,   // by an older rule, where channels last were not chosen: backwards in that of their results
};

// How libraries are called in a graph.
struct LibraryRules {
  ConvolutionLayout layout = ConvolutionLayout::AsTraced;  // of its convolutions
  bool on_gpu = false;
};

// GraphLowering.decide_layout_opt.
ConvolutionLayout layout_of_convolutions(const Graph& graph, const InductorRules& rules);

// Adds the call, and holds its results. `added`: the product that a sum computes too (added_products.h).
//
// An attention takes copies of the inputs that are not as it wants them (sdpa_constraint). What else is not stored is stored.
void call_library(LoweredValues& values, const Graph& graph, NodeId call, std::span<const Tensor* const> results,
                  std::optional<NodeId> added, const LibraryRules& rules);

// Inputs of the graph that a convolution reads become copies with channels last, which all later readers read, too; returns those
// (convert_conv_weights_to_channels_last; ExternKernel.require_channels_last). What a kernel makes is made with channels last.
std::vector<NodeId> copy_to_channels_last(LoweredValues& values, const Graph& graph, const Node& convolution);

}  // namespace fxcut
