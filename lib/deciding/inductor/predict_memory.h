// The memory that the step takes when inductor has compiled its two graphs, predicted without compiling them: in which order its
// kernels (inductor/predict_code.h) run, and what memory they reuse. `fxcut memory` reads the same from the code that inductor
// generated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "graph/graph.h"
#include "inductor/plan_buffers.h"
#include "inductor/predict_code.h"

namespace fxcut {

// Bytes, without the inputs of the step; the outputs of the forward are held to the end.
struct PredictedMemory {
  std::int64_t forward_peak_bytes = 0;
  std::int64_t between_bytes = 0;   // between forward and backward
  std::int64_t backward_peak_bytes = 0;
  NodeId forward_peak_node{0}, backward_peak_node{0};  // of the kernels at the peaks
  // The highest call of a library whose workspace is known; 0 bytes without one.
  PeakWithWorkspace forward_with_workspaces = {}, backward_with_workspaces = {};
  std::size_t kernels = 0;  // of both graphs, before any are fused: what it takes to predict this grows with them

  std::int64_t peak_bytes() const { return std::max(forward_peak_bytes, backward_peak_bytes); }
  bool peaks_in_backward() const { return backward_peak_bytes >= forward_peak_bytes; }
};

// `code` is that of `graphs`. What a kernel takes within its call counts apart.
PredictedMemory predict_memory(const PredictedCode& code, const GraphPair& graphs);

}  // namespace fxcut
