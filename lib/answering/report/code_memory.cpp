#include "report/code_memory.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "report/running_graphs.h"

namespace fxcut {
namespace {

// Tells which of the forward's outputs its caller takes, by names and storages.
class CallersOutputs {
 public:
  CallersOutputs(const Graph& forward, std::size_t outputs) {
    for (const OutputLeaf& leaf : output_leaves(forward)) {
      if (outputs-- == 0) break;
      if (!leaf.node) continue;
      const Node& node = forward[*leaf.node];
      names_.insert(node.name);
      if (node.storage()) storages_.insert(*node.storage());
    }
  }

  bool has(const Node& node) const {
    return names_.contains(node.name) || (node.storage() && storages_.contains(*node.storage()));
  }

 private:
  std::unordered_set<std::string_view> names_;
  std::unordered_set<std::int64_t> storages_;
};

MemoryKind kind_in_forward(const HeldBuffer& held, const Node& node, const CallersOutputs& outputs) {
  if (!held.is_output) return MemoryKind::Temporary;
  return outputs.has(node) ? MemoryKind::Output : MemoryKind::Saved;
}

MemoryKind kind_in_backward(const HeldBuffer& held, const Node& node, const MemoryKinds& kinds) {
  if (held.is_input) return is_tangent(node) ? MemoryKind::Tangent : MemoryKind::Saved;
  if (held.is_output) return MemoryKind::Gradient;
  return kinds.is_recomputed(node) ? MemoryKind::Recomputed : MemoryKind::Temporary;
}

}  // namespace

std::vector<CodeAllocation> code_allocations(const PredictedMemory& memory, const GraphPair& graphs) {
  const RunningGraphs running(graphs);
  const MemoryKinds kinds(running);
  const CallersOutputs outputs(graphs.forward, memory.num_forward_outputs);
  std::vector<CodeAllocation> all;
  if (memory.beyond_bytes < 0) return all;
  for (const HeldBuffer& held : memory.held) {
    const Node& node = running.node(held.side, held.node);
    const MemoryKind kind = held.side == Side::Forward ? kind_in_forward(held, node, outputs)
                                                       : kind_in_backward(held, node, kinds);
    all.push_back({held.side, held.node, held.bytes, kind, held.first_step, held.last_step});
  }
  if (memory.beyond_bytes > 0) {
    const std::size_t first = static_cast<std::size_t>(std::ranges::find(memory.steps, Side::Backward, &Step::side) -
                                                       memory.steps.begin());
    all.push_back({Side::Forward, node_id(graphs.forward.size() - 1), memory.beyond_bytes, MemoryKind::Output, first,
                   memory.steps.size() - 1});
  }
  return all;
}

}  // namespace fxcut
