#include "frontier/kernel_costs.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "classify/views_and_writes.h"
#include "cost/device_profile.h"
#include "cost/estimators.h"
#include "cost/fused_roofline.h"

namespace fxcut {
namespace {

// The values that the forward has in memory, whatever it saves.
class ForwardMemory {
 public:
  ForwardMemory(const Graph& graph, const std::vector<bool>& in_forward)
      : graph_(graph), in_forward_(in_forward), before_(kernels_before(graph)), made_by_(graph.size(), NodeId{0}),
        first_use_(graph.size()), has_value_(graph.size(), false) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      made_by_[i] = is_alias(i) ? made_by_[index_of(graph.nodes[i].inputs.front())] : node_id(i);
      if (!is_alias(i) && !is_fused(graph.nodes[i])) has_value_[i] = true;
      if (in_forward[i] && !is_alias(i)) note_uses(i);
    }
  }

  bool has(NodeId id) const { return has_value_[index_of(made_by_[index_of(id)])]; }

 private:
  bool is_alias(std::size_t i) const {
    const Node& node = graph_.nodes[i];
    return node.is_call() && !node.inputs.empty() && computes_nothing(graph_, node);
  }

  // A library takes it from memory, and so does one of two kernels of which one comes after the other.
  void note_uses(std::size_t user) {
    for (const NodeId input : graph_.nodes[user].inputs) {
      const std::size_t made = index_of(made_by_[index_of(input)]);
      std::optional<std::uint32_t>& first = first_use_[made];
      if (!first) first = before_[user];
      if (!is_fused(graph_.nodes[user]) || *first != before_[user]) has_value_[made] = true;
    }
  }

  const Graph& graph_;
  const std::vector<bool>& in_forward_;
  std::vector<std::uint32_t> before_;
  std::vector<NodeId> made_by_;  // by node: itself, or what it is a view or an item of
  std::vector<std::optional<std::uint32_t>> first_use_;
  std::vector<bool> has_value_;
};

}  // namespace

bool prices_kernels(const Settings& settings, const Graph& graph) {
  if (settings.activation_memory_budget_runtime_estimator || settings.memory_of != MemoryOf::Compiled) return false;
  const DeviceProfile device = device_of(settings, graph).profile;
  return device.kernels.multiprocessors > 0 || device.elements != ElementTimes{};
}

void price_kernels(RecomputeProblem& problem, const Analysis& a) {
  const DeviceProfile device = device_of(a.settings, a.graph()).profile;
  const std::vector<double> reduced = reduced_ms(a.graph(), device);
  problem.prices_kernels = true;
  const ForwardMemory memory(a.graph(), a.roles.required_forward);
  const std::vector<ElementwiseAccess> elementwise = elementwise_access(a.graph(), device);
  std::vector<bool> is_there(problem.storages.size(), false);
  is_there[kFreeStorage] = true;
  std::vector<ElementwiseAccess> of_storage(problem.storages.size());
  for (Item& item : problem.items) {
    if (item.run_cost > 0) item.run_cost = std::max(item.run_cost, picoseconds(reduced[index_of(item.node)]));
    if (item.storage == kNoStorage || !item.savable) continue;
    if (memory.has(item.node)) is_there[item.storage] = true;
    ElementwiseAccess& access = of_storage[item.storage];
    access.write_ms = std::max(access.write_ms, elementwise[index_of(item.node)].write_ms);
    access.read_ms = std::max(access.read_ms, elementwise[index_of(item.node)].read_ms);
  }
  for (StorageIndex s = 1; s < problem.storages.size(); ++s) {
    KeepableStorage& storage = problem.storages[s];
    const double write_ms = ms_of_traffic(static_cast<double>(storage.bytes), device) + of_storage[s].write_ms;
    storage.keep_cost = picoseconds((is_there[s] ? 0 : write_ms) + of_storage[s].read_ms);
  }
}

}  // namespace fxcut
