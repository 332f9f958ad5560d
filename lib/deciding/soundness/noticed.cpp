#include "soundness/noticed.h"

#include <algorithm>

#include "classify/host_copies.h"
#include "classify/purity.h"
#include "classify/views_and_writes.h"

namespace fxcut {
namespace {

bool is_copying(const Node& call) { return is_host_copy(call) || call.calls(kWaitTensor); }

// Whether it checks or records something, or writes to memory that is not tracked, whose readers are unknown.
bool is_always_noticed(const Node& call, bool changes, const MemoryRun& run) {
  if (call.calls("higher_order.with_effects")) return true;
  if (!is_impure(call) || is_wait(call) || is_copying(call) || (writes(call) && !changes)) return false;
  return !writes(call) ||
         std::ranges::any_of(written_inputs(call), [&](NodeId input) { return run.held(index_of(input)).empty(); });
}

}  // namespace

void NoticedMemory::add(Region region) {
  if (noticed_.size() <= index(region)) noticed_.resize(index(region) + 1, false);
  noticed_[index(region)] = true;
}

void NoticedMemory::remove(Region region) {
  if (contains(region)) noticed_[index(region)] = false;
}

std::vector<bool> noticed_nodes(const Graph& graph, const MemoryRun& run,
                                const std::function<bool(std::size_t)>& is_noticed_output, NoticedMemory& memory) {
  std::vector<bool> noticed(graph.size(), false);
  const auto notice = [&](NodeId id, bool with_memory) {
    noticed[index_of(id)] = true;
    if (!with_memory) return;
    for (const Region region : run.held(index_of(id))) memory.add(region);
  };
  const std::vector<OutputLeaf> leaves = output_leaves(graph);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].node && is_noticed_output(i)) notice(*leaves[i].node, true);
  }
  const auto changes_noticed_memory = [&](std::size_t i) {
    return run.changes(i) && std::ranges::any_of(written_inputs(graph.nodes[i]), [&](NodeId input) {
             return std::ranges::any_of(run.held(index_of(input)), [&](Region region) { return memory.contains(region); });
           });
  };
  for (std::size_t i = graph.size(); i-- > 0;) {
    const Node& node = graph.nodes[i];
    if (!node.is_call()) continue;
    noticed[i] = noticed[i] || is_always_noticed(node, run.changes(i), run) || changes_noticed_memory(i);
    if (!noticed[i]) continue;
    if (run.is_whole(i)) {  // earlier contents are not observable
      for (const Region region : run.held(index_of(node.inputs.front()))) memory.remove(region);
    }
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      const NodeId input = node.inputs[k];
      if (run.is_overwritten(i) && graph[input].has_tensor()) continue;  // its inputs are not observable
      notice(input, run.reads(i) && !(k == 0 && run.is_whole(i)));
    }
  }
  return noticed;
}

}  // namespace fxcut
