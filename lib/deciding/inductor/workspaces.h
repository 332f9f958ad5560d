// The memory that a library takes within a call and frees before it returns: cuDNN, for a convolution.
//
// In half precision its kernels need channels last. cuDNN copies channels-first operands and results within the call, unless
// the input or the weight is channels-last (cudnn_conv_suggest_memory_format of aten/src/ATen/native/ConvUtils.h); a one-pixel
// kernel runs as a matrix product, without copies. If the weight has fewer tiles than the card has multiprocessors, its
// gradient is summed in parts, one per tile that the card works on at once.
//
// Measured on an H100 with PyTorch 2.11 (cuDNN 9): 3x3 convolutions with 64 to 512 channels take exactly these bytes, and so does
// the step of a U-Net under nine decisions. Other convolutions and other cards are assumed to follow the same rule, unmeasured.
// float32 (TF32), groups, and other than two dimensions are not modelled.
#pragma once

#include <cstdint>

#include "graph/extents.h"
#include "graph/graph.h"

namespace fxcut {

struct TensorLayout {
  Extents shape, stride;
};

struct Convolution {
  const Dtype* dtype = nullptr;
  TensorLayout input, weight;         // N, C, H, W; the weight's out and in channels, H, W
  Extents output;                     // shape
  bool is_backward = false;           // of input and weight
};

// In bytes; 0 if it takes nothing, or is not modelled.
std::int64_t workspace_bytes(const Convolution& convolution);

// The same for a node of a graph on a CUDA device; 0 for other nodes.
std::int64_t workspace_bytes(const Graph& graph, const Node& node);

}  // namespace fxcut
