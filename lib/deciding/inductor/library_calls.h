// Library calls: matrix products, convolutions, attention, and everything else that inductor generates no kernels for
// (torch/_inductor/ir.py, ExternKernel). Their inputs and their results are buffers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "inductor/lowered_values.h"

namespace fxcut {

// The layout in which convolutions and their backwards take their inputs.
enum class ConvolutionLayout : std::uint8_t {
  AsTraced,      // on a GPU, if channels last does not pay
  ChannelsLast,  // other inputs are copied (ExternKernel.require_channels_last)
  OfGradients,   // an older rule, if channels last was not chosen: backwards take the layout of their results
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
// Attention takes copies of inputs in another layout than it requires (sdpa_constraint). Other inputs are stored if they are not
// yet.
void call_library(LoweredValues& values, const Graph& graph, NodeId call, std::span<const Tensor* const> results,
                  std::optional<NodeId> added, const LibraryRules& rules);

// Replaces graph inputs that a convolution reads by channels-last copies, which all later readers read, too; returns those inputs
// (convert_conv_weights_to_channels_last; ExternKernel.require_channels_last). Results of kernels are made channels-last.
std::vector<NodeId> copy_to_channels_last(LoweredValues& values, const Graph& graph, const Node& convolution);

}  // namespace fxcut
