// The memory of the step compiled by inductor, predicted without compiling it: in which order its kernels
// (inductor/predict_code.h) run, and what memory they reuse. `fxcut memory` reads the same from generated code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "inductor/plan_buffers.h"
#include "inductor/predict_code.h"

namespace fxcut {

// A buffer in use at the peak.
struct HeldBuffer {
  NodeId node{0};           // of the peak's side, that makes it
  std::int64_t bytes = 0;
  bool is_input = false;    // of that side
  bool is_output = false;
};

// In bytes, without the inputs of the step; the outputs of the forward are held to the end.
struct PredictedMemory {
  std::int64_t forward_peak_bytes = 0;
  std::int64_t between_bytes = 0;   // between forward and backward
  std::int64_t backward_peak_bytes = 0;
  NodeId forward_peak_node{0}, backward_peak_node{0};  // of the kernels at the peaks
  // The highest library call with a known workspace; 0 bytes without one.
  PeakWithWorkspace forward_with_workspaces = {}, backward_with_workspaces = {};
  std::vector<HeldBuffer> at_peak;  // if requested; any remainder are outputs of the forward
  std::size_t kernels = 0;  // of both graphs, before fusion: the time of the prediction grows with them

  std::int64_t peak_bytes() const { return std::max(forward_peak_bytes, backward_peak_bytes); }
  bool peaks_in_backward() const { return backward_peak_bytes >= forward_peak_bytes; }
};

enum class AtPeak { Unlisted, Listed };

// `code` is that of `graphs`. Workspaces count separately.
PredictedMemory predict_memory(const PredictedCode& code, const GraphPair& graphs, AtPeak at_peak = AtPeak::Unlisted);

}  // namespace fxcut
