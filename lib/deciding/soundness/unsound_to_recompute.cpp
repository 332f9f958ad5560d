#include "soundness/unsound_to_recompute.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "classify/purity.h"
#include "soundness/memory_run.h"

namespace fxcut {

std::vector<bool> unsound_to_recompute(const JointGraph& joint) {
  const Graph& graph = joint.graph;
  std::vector<bool> never(graph.size(), false);
  const WrittenStorages written(joint);
  if (written.empty()) return never;
  Histories histories;
  SharedMemory memory{histories};
  MemoryRun run(graph, written, memory);
  std::unordered_map<std::size_t, std::vector<Found>> found_by;
  run.run_joint([&](std::size_t i, const std::vector<Found>& found) { found_by.emplace(i, found); });
  for (const auto& [i, found] : found_by) never[i] = run.find(graph.nodes[i].inputs) != found;
  std::vector<std::optional<bool>> written_by_forward(memory.regions.size());  // computed once for each region
  const auto is_written_by_forward = [&](Region region) {
    std::optional<bool>& known = written_by_forward[static_cast<std::size_t>(region)];
    History history = memory[region].history;
    while (!known && history != kUntouched && must_be_in_backward(graph[histories.last_write(history)])) {
      history = histories.before(history);
    }
    if (!known) known = history != kUntouched;
    return *known;
  };
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    if (!node.is_call() || !written.makes_new_memory(graph, node)) continue;
    never[i] = never[i] || std::any_of(run.held(i).begin(), run.held(i).end(), is_written_by_forward);
  }
  return never;
}

}  // namespace fxcut
