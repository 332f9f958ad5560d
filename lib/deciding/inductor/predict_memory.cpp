#include "inductor/predict_memory.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "graph/device_blocks.h"
#include "inductor/order_kernels.h"
#include "inductor/plan_buffers.h"
#include "memory/placement.h"

namespace fxcut {
namespace {

std::optional<std::int64_t> storage_of_input(const Node& node) {
  return node.is_placeholder() ? node.storage() : std::nullopt;
}

// The storages of the forward's inputs and results, which its caller has. A copy that the forward saves in place of an input is
// not among them.
std::unordered_set<std::int64_t> storages_of_caller(const Graph& forward, std::size_t results,
                                                    const std::vector<NodeId>& copied) {
  std::unordered_set<std::int64_t> storages;
  for (const OutputLeaf& leaf : output_leaves(forward)) {
    if (results-- == 0) break;
    if (leaf.node && forward[*leaf.node].storage()) storages.insert(*forward[*leaf.node].storage());
  }
  for (std::size_t i = 0; i < forward.size(); ++i) {
    const auto storage = storage_of_input(forward.nodes[i]);
    if (storage && std::ranges::find(copied, node_id(i)) == copied.end()) storages.insert(*storage);
  }
  return storages;
}

struct BackwardInputs {
  // For each buffer, whether it is freed in inductor's estimate; is freed; is taken by results
  // (collect_bw_donated_buffer_idxs; fxcut's package has none of several in one storage taken); and counts when it is freed.
  std::vector<bool> ordered_by, freed, donated, counted;
  std::int64_t tangent_bytes = 0;
};

// inductor's is_nonfreeable_buffers: recognises inputs of the step by their names, so a saved view of one does not count.
bool has_name_of_step_input(const Node& node) {
  constexpr std::string_view kPrefixes[] = {"primals_", "arg", "fwd_rng_state", "bwd_rng_state", "tangents"};
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return node.name.starts_with(prefix); });
}

// How many inputs are in each storage.
std::unordered_map<std::int64_t, std::size_t> inputs_by_storage(const std::vector<Buffer>& buffers) {
  std::unordered_map<std::int64_t, std::size_t> inputs;
  for (const Buffer& buffer : buffers) {
    if (buffer.is_input && buffer.storage) ++inputs[*buffer.storage];
  }
  return inputs;
}

BackwardInputs inputs_of(const Graph& backward, const std::vector<Buffer>& buffers,
                         const std::unordered_set<std::int64_t>& caller, bool in_blocks) {
  BackwardInputs inputs;
  const std::unordered_map<std::int64_t, std::size_t> by_storage = inputs_by_storage(buffers);
  std::unordered_set<std::int64_t> tangents;  // storages
  for (const Buffer& buffer : buffers) {
    const Node& node = backward[buffer.node];
    const bool is_callers = buffer.is_input && (!storage_of_input(node) || caller.contains(*storage_of_input(node)));
    inputs.ordered_by.push_back(buffer.is_input && node.is_placeholder() && !has_name_of_step_input(node));
    inputs.freed.push_back(buffer.is_input && node.is_placeholder());
    const bool is_shared = buffer.is_input && buffer.storage && by_storage.at(*buffer.storage) > 1;
    inputs.donated.push_back(buffer.is_input && !is_callers && !is_tangent(node) && !is_shared);
    inputs.counted.push_back(!is_callers);
    if (!buffer.is_input || !is_tangent(node)) continue;
    if (buffer.storage && !tangents.insert(*buffer.storage).second) continue;
    inputs.tangent_bytes += in_blocks ? rounded_as_allocated(buffer.bytes) : buffer.bytes;
  }
  return inputs;
}

std::int64_t bytes_at_peak(const BufferHistory& history) {
  std::int64_t bytes = 0;
  for (const BufferSpan& span : history.spans) {
    if (span.first <= history.peak && history.peak <= span.last) bytes += span.bytes;
  }
  return bytes;
}

// Adds a side's steps and buffers after those of the other.
void append(const BufferHistory& history, Side side, const std::vector<Buffer>& buffers, PredictedMemory& memory) {
  const std::size_t begin = memory.steps.size();
  for (const NodeId node : history.moments) memory.steps.push_back({side, node});
  for (const BufferSpan& span : history.spans) {
    const Buffer& buffer = buffers[span.buffer];
    memory.held.push_back(
        {side, buffer.node, span.bytes, buffer.is_input, buffer.is_output, begin + span.first, begin + span.last});
  }
}

}  // namespace

PredictedMemory predict_memory(const PredictedCode& code, const GraphPair& graphs, HeldBuffers held) {
  const Kernels &forward = code.forward.lowered.program, &backward = code.backward.lowered.program;
  const std::vector<bool> none(forward.buffers.size(), false), all(forward.buffers.size(), true);
  const KernelOrder order = order_kernels(forward, code.forward.kernels, none);
  const WrapperMemory forward_memory = plan_buffers(forward, code.forward.kernels, order, none, none, all, 0, code.rules);
  const BackwardInputs inputs =
      inputs_of(graphs.backward, backward.buffers,
                storages_of_caller(graphs.forward, code.num_forward_outputs, code.forward.lowered.copied_inputs),
                code.rules.allocates_blocks);
  const KernelOrder order_back = order_kernels(backward, code.backward.kernels, inputs.ordered_by);
  const WrapperMemory backward_memory =
      plan_buffers(backward, code.backward.kernels, order_back, inputs.freed, inputs.donated, inputs.counted,
                   forward_memory.bytes_after + inputs.tangent_bytes, code.rules);
  PredictedMemory memory = {forward_memory.peak_bytes,
                            forward_memory.bytes_after,
                            backward_memory.peak_bytes,
                            forward_memory.peak_node,
                            backward_memory.peak_node,
                            forward_memory.with_workspaces,
                            backward_memory.with_workspaces,
                            {},
                            0,
                            {},
                            0,
                            forward.kernels.size() + backward.kernels.size(),
                            code.num_forward_outputs};
  if (held == HeldBuffers::Unlisted) return memory;
  std::vector<bool> own;  // the forward's inputs are its caller's
  for (const Buffer& buffer : forward.buffers) own.push_back(!buffer.is_input);
  const BufferHistory of_forward = buffer_history(forward, code.forward.kernels, order, none, none, own, code.rules);
  const BufferHistory of_backward = buffer_history(backward, code.backward.kernels, order_back, inputs.freed, inputs.donated,
                                                   inputs.counted, code.rules);
  append(of_forward, Side::Forward, forward.buffers, memory);
  memory.peak_step = memory.peaks_in_backward() ? memory.steps.size() + of_backward.peak : of_forward.peak;
  append(of_backward, Side::Backward, backward.buffers, memory);
  memory.beyond_bytes = memory.backward_peak_bytes - bytes_at_peak(of_backward);
  return memory;
}

}  // namespace fxcut
