// The memory of the step compiled by inductor, predicted without compiling it: the order in which its kernels
// (inductor/predict_code.h) run, and the memory that they reuse. `fxcut memory` reads the same from generated code.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/graph.h"
#include "inductor/plan_buffers.h"
#include "inductor/predict_code.h"
#include "memory/lifetimes.h"

namespace fxcut {

// Memory of a buffer.
struct HeldBuffer {
  Side side = Side::Forward;
  NodeId node{0};           // of the side, that makes it
  std::int64_t bytes = 0;
  bool is_input = false;    // of the side
  bool is_output = false;
  std::size_t first_step = 0, last_step = 0;  // in PredictedMemory::steps
};

// In bytes, without the inputs of the step; the outputs of the forward are held to the end.
struct PredictedMemory {
  std::int64_t forward_peak_bytes = 0;
  std::int64_t between_bytes = 0;   // between forward and backward
  std::int64_t backward_peak_bytes = 0;
  NodeId forward_peak_node{0}, backward_peak_node{0};  // of the kernels at the peaks
  // The highest library call with a known workspace; 0 bytes without one.
  PeakWithWorkspace forward_with_workspaces = {}, backward_with_workspaces = {};
  // If requested: the last nodes of the kernels in the order in which they run, and the buffers that have memory then, by side,
  // in the order of the code.
  std::vector<Step> steps;
  std::size_t peak_step = 0;
  std::vector<HeldBuffer> held;
  // Additionally held in all steps of the backward: outputs of the forward. Negative if the backward takes more than the forward
  // has left.
  std::int64_t beyond_bytes = 0;
  std::size_t kernels = 0;  // of both graphs, before fusion: the time of the prediction grows with them
  std::size_t num_forward_outputs = 0;  // of the forward's outputs, those of the step

  std::int64_t peak_bytes() const { return std::max(forward_peak_bytes, backward_peak_bytes); }
  bool peaks_in_backward() const { return backward_peak_bytes >= forward_peak_bytes; }
};

enum class HeldBuffers { Unlisted, Listed };

// `code` is that of `graphs`. Workspaces count separately.
PredictedMemory predict_memory(const PredictedCode& code, const GraphPair& graphs,
                               HeldBuffers held = HeldBuffers::Unlisted);

}  // namespace fxcut
