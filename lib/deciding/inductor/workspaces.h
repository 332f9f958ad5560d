// What a library takes for itself within a call and frees before it returns: cuDNN, for a convolution.
//
// In half precision its kernels want channels last. Of tensors with channels first it makes copies within the call, of what is
// read and of what is written, unless one of input and weight has channels last (cudnn_conv_suggest_memory_format of
// aten/src/ATen/native/ConvUtils.h); a kernel of one pixel runs as a product, without. The gradient of the weight is summed in
// parts, one for each of the tiles that the card works on at once, if the weight has fewer tiles than the card has
// multiprocessors.
//
// Measured on an H100 with PyTorch 2.11 (cuDNN 9): convolutions of 3x3 with 64 to 512 channels take what is said here to the
// byte, and the step of a U-Net does under nine decisions. The sums of others, and on other cards, follow the same rule,
// unmeasured. Nothing is known of float32 (TF32), of groups, and of other dimensions than two.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

struct TensorLayout {
  std::vector<std::int64_t> shape, stride;
};

struct Convolution {
  const Dtype* dtype = nullptr;
  TensorLayout input, weight;         // N, C, H, W; the weight's out and in channels, H, W
  std::vector<std::int64_t> output;   // shape
  bool is_backward = false;           // of input and weight
};

// Bytes; 0 where it takes nothing, or nothing is known.
std::int64_t workspace_bytes(const Convolution& convolution);

// The same of a node of a graph on a CUDA device; 0 of other nodes.
std::int64_t workspace_bytes(const Graph& graph, const Node& node);

}  // namespace fxcut
