#include "inductor/predict_code.h"

#include <algorithm>
#include <utility>

#include "graph/device_blocks.h"
#include "inductor/retraced.h"
#include "inductor/workspaces.h"
#include "memory/placement.h"

namespace fxcut {
namespace {

// Keyed by the names of saved values in the backward.
StridesByName strides_of_saved(const Graph& forward, const LoweredGraph& lowered) {
  StridesByName strides;
  for (const auto& [id, of_id] : lowered.restrided) strides.emplace(forward[id].name, of_id);
  return strides;
}

// Whether a tensor is on a device whose allocator rounds up.
bool is_on_such_a_device(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const Node& node) {
    return node.has_tensor() && allocates_blocks(node.value->tensor.device);
  });
}

InductorRules rules_for(const GraphPair& graphs, const JointGraph& joint) {
  if (!has_device(graphs.forward) && !has_device(graphs.backward)) {
    return rules_for_cpu(joint.torch.release, joint.single_threaded);
  }
  InductorRules rules = rules_for_gpu(joint.torch.release);
  rules.allocates_blocks = is_on_such_a_device(graphs.forward) || is_on_such_a_device(graphs.backward);
  return rules;
}

void add_workspaces(const Graph& graph, Kernels& program) {
  for (Kernel& kernel : program.kernels) {
    if (!kernel.loops) kernel.workspace = workspace_bytes(graph, graph[kernel.node]);
  }
}

PredictedGraphCode code_of(std::shared_ptr<const Graph> traced, const InductorRules& rules) {
  LoweredGraph lowered = lower(*traced, rules);
  add_workspaces(*traced, lowered.program);
  std::vector<FusedKernel> kernels = fuse(lowered.program, rules);
  return {std::move(traced), std::move(lowered), std::move(kernels)};
}

// The graph itself, not owned by the pointer; a retraced copy if its strides are out of date, or its inputs have others.
std::shared_ptr<const Graph> traced(const Graph& graph, const StridesByName& inputs) {
  if (!inputs.empty() || is_stale(graph)) return std::make_shared<const Graph>(retraced(graph, inputs));
  return {std::shared_ptr<const Graph>(), &graph};
}

}  // namespace

PredictedCode predict_code(const GraphPair& graphs, const JointGraph& joint) {
  const InductorRules rules = rules_for(graphs, joint);
  PredictedGraphCode forward = code_of(traced(graphs.forward, {}), rules);
  const StridesByName saved = strides_of_saved(*forward.traced, forward.lowered);
  PredictedGraphCode backward = code_of(traced(graphs.backward, saved), rules);
  return {rules, std::move(forward), std::move(backward), joint.num_forward_outputs};
}

std::optional<PredictedCode> code_if_asked_for(const GraphPair& graphs, const JointGraph& joint, const Settings& settings) {
  return settings.memory_of == MemoryOf::Compiled ? std::optional(predict_code(graphs, joint)) : std::nullopt;
}

}  // namespace fxcut
