// A training step as its compiled code runs it: the forward, then the backward, which takes what the forward saved.
//
// Counted is what the wrappers allocate and what the operators that they call return, each storage to the byte, from
// the statement that makes it to the one that drops its last reference. What lives anyway counts apart: the inputs of
// the forward, parameters among them. The forward's own outputs stay their caller's to the end of the step. What is saved
// belongs to the backward alone, and so do the tangents, which count from its beginning on (autograd holds neither while
// the backward runs: measured, python/bench/compiled_memory.py). Each step counts on its own: where a model breaks into
// several graphs, what one hands to another is its caller's to the end here, but may go sooner.
//
// Not seen is what a kernel takes and frees within its call: workspaces of operators (oneDNN's, of sorts, of
// attention), unless the wrapper allocates them. What an operator returns has the size that the wrapper asserts behind
// its call. The dtype, which PyTorch 2.13 does not assert, is the one of the operator's node in the log's FX graph, else of
// a kernel that takes the buffer. Where nothing says it the size is unknown: said, and counted as nothing.
//
// Source of the forms: torch/_inductor/codegen/wrapper.py of PyTorch 2.13 and 2.15; of how values cross,
// torch/_functorch/partitioners.py: the forward returns its outputs, then saved tensors, then saved sizes; the backward
// takes saved sizes, saved tensors, tangents.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiled/compiled_code.h"
#include "compiled/memory_block.h"

namespace fxcut {

// What the same two graphs take where each operator is a call of its own (memory/lifetimes.h).
struct OperatorsMemory {
  Wide peak_bytes = 0, forward_peak_bytes = 0, between_bytes = 0, backward_peak_bytes = 0;
};

struct StepMemory {
  std::string name;  // "0_0/0": compilation and AOT id
  std::string file;  // of its first code
  bool has_forward = false, has_backward = false;
  std::vector<Moment> moments;
  std::vector<MemoryBlock> blocks;  // in the order in which they are made
  std::vector<MemoryPoint> curve;   // by moment
  std::size_t peak_at = 0;          // moment, the first of several
  std::vector<std::size_t> at_peak; // blocks, largest first
  std::string device;               // whose memory is counted: the first that is no CPU, else "cpu"
  Wide forward_peak_bytes = 0, between_bytes = 0, backward_peak_bytes = 0;
  Wide input_bytes = 0;             // of the step's inputs, parameters among them
  std::size_t unknown_blocks = 0;   // without a size
  std::optional<std::size_t> joint;  // which of the log's joint graphs it is of
  std::vector<std::string> saved;    // what the backward takes of the forward, by its names, in order
  std::optional<OperatorsMemory> operators;
  std::vector<CodeNote> notes;

  Wide peak_bytes() const { return curve.empty() ? Wide(0) : curve[peak_at].bytes; }
  // Whether the block is of those that the curve counts.
  bool is_counted(const MemoryBlock& block) const { return block.counts() && (block.device.empty() || block.device == device); }
};

// One for each forward with its backward, each backward without a forward, and each graph without gradients, in order.
// A backward belongs to the forward of the same AOT id before it. What the codes' lines are of must outlive the result.
// Throws Failure (BadInput) where a code is no wrapper.
std::vector<StepMemory> replay_steps(const std::vector<CompiledCode>& codes);

}  // namespace fxcut
