// A training step as its compiled code runs it: the forward, then the backward with the saved values.
//
// The wrappers' allocations and the results of the operators that they call are counted, each storage to the byte, or as the
// blocks that the device's allocator hands out for it (graph/device_blocks.h), from the statement that makes it to the one that
// drops its last reference. Inputs of the forward, including parameters, count separately. The forward's own outputs belong to
// the caller to the end of the step. Saved values belong to the backward alone, and so do the tangents, which count from its
// beginning (autograd holds neither while the backward runs: measured, python/bench/compiled_memory.py). Each step counts on its
// own: if a model breaks into several graphs, values that one passes to another belong to the caller to the end here, but may be
// freed earlier.
//
// Memory that a kernel allocates and frees within its call is not counted: workspaces of operators (oneDNN, sort, attention),
// unless the wrapper allocates them; `calls` has the operators that may take some, so that they can be run, and for convolutions
// the bytes (inductor/workspaces.h). The result of an operator has the size that the wrapper asserts after its call. The dtype,
// which PyTorch 2.13 does not assert, is that of the operator's node in the log's FX graph, otherwise that of a kernel that uses
// the buffer. An unknown size is noted and counted as 0.
//
// Sources: torch/_inductor/codegen/wrapper.py of PyTorch 2.13 and 2.15 for the forms; torch/_functorch/partitioners.py for the
// order of values: the forward returns its outputs, then saved tensors, then saved sizes; the backward takes saved sizes, saved
// tensors, tangents.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiled/compiled_code.h"
#include "compiled/memory_block.h"
#include "compiled/operator_call.h"
#include "memory/bytes_in_use.h"

namespace fxcut {

// The memory of the same two graphs if each operator is a call of its own (memory/lifetimes.h).
struct OperatorsMemory {
  Int128 peak_bytes = 0, forward_peak_bytes = 0, between_bytes = 0, backward_peak_bytes = 0;
};

// The file with the code of one side, as stack frames name it.
struct CodeFile {
  CodeSide side = CodeSide::Inference;
  std::string path;            // empty if unknown
  std::size_t first_line = 1;  // of its first, among the lines of moments
};

struct StepMemory {
  std::string name;  // "0_0/0": compilation and AOT id
  std::string file;  // of its first code
  bool has_forward = false, has_backward = false;
  std::vector<Moment> moments;
  std::vector<MemoryBlock> blocks;  // in the order of allocation
  std::vector<MemoryUse> curve;     // by moment, without inputs of the step and host memory
  std::vector<OperatorCall> calls;  // in order
  std::size_t peak_at = 0;          // moment, the first of several
  std::vector<std::size_t> at_peak; // blocks, largest first
  std::optional<std::size_t> peak_call;  // the call that takes most including its workspace, if more than the peak
  std::string device;               // whose memory is counted: the first other than a CPU, otherwise "cpu"
  Int128 forward_peak_bytes = 0, between_bytes = 0, backward_peak_bytes = 0;
  Int128 input_bytes = 0;           // of the step's inputs, parameters among them
  std::size_t unknown_blocks = 0;   // without a size
  std::optional<std::size_t> joint;  // the number of its joint graph in the log
  std::vector<std::string> saved;    // the saved values, by their names in the backward, in order
  std::optional<OperatorsMemory> operators;
  std::vector<CodeNote> notes;
  std::vector<CodeFile> code_files;  // of its sides

  Int128 peak_bytes() const { return curve.empty() ? Int128(0) : curve[peak_at].bytes; }
  // In use during a call, with its workspace.
  Int128 bytes_in(const OperatorCall& call) const { return curve[call.moment].bytes + call.workspace_bytes; }
  // Whether the curve counts the block.
  bool is_counted(const MemoryBlock& block) const { return block.counts() && (block.device.empty() || block.device == device); }
  // Its bytes in the curve; 0 if its size is unknown.
  std::int64_t taken_bytes(const MemoryBlock& block) const;
};

// The moments in which memory changes.
std::vector<std::size_t> changes_of(const StepMemory& step);

// One for each forward with its backward, each backward without a forward, and each graph without gradients, in order. A
// backward belongs to the forward of the same AOT id before it. The codes' texts must outlive the result. Throws Failure
// (BadInput) if a code is not a wrapper.
std::vector<StepMemory> replay_steps(const std::vector<CompiledCode>& codes);

}  // namespace fxcut
