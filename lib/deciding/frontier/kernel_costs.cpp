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
      : graph_(graph), before_(kernels_before(graph)), made_by_(graph.size(), NodeId{0}),
        first_use_(graph.size()), has_value_(graph.size(), false) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      made_by_[i] = is_alias(i) ? made_by_[index_of(graph.nodes[i].inputs.front())] : node_id(i);
      if (!is_alias(i) && !is_fused(graph.nodes[i])) has_value_[i] = true;
      if (in_forward[i] && !is_alias(i)) note_uses(i);
    }
  }

  bool has(NodeId id) const { return has_value_[index_of(made_by_[index_of(id)])]; }
  // Whether a kernel of the forward takes it.
  bool uses(NodeId id) const { return first_use_[index_of(made_by_[index_of(id)])].has_value(); }

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
  std::vector<std::uint32_t> before_;
  std::vector<NodeId> made_by_;  // by node: itself, or what it is a view or an item of
  std::vector<std::optional<std::uint32_t>> first_use_;
  std::vector<bool> has_value_;
};

// Of the values that are saved in a storage.
struct KeptStorage {
  bool is_there = false;  // in the forward, in any case
  double write_elements_ms = 0;  // and to read them back, where the forward uses them
  double read_elements_ms = 0;

  void add(const ValueTimes& times, bool is_in_forward, bool is_used_in_forward) {
    is_there = is_there || is_in_forward;
    write_elements_ms = std::max(write_elements_ms, times.write_elements_ms + (is_used_in_forward ? times.read_elements_ms : 0));
    read_elements_ms = std::max(read_elements_ms, times.read_elements_ms);
  }
  double ms(double bytes, const DeviceProfile& device) const {
    return (is_there ? 0 : ms_of_traffic(bytes, device) + write_elements_ms) + read_elements_ms;
  }
};

}  // namespace

bool prices_kernels(const Settings& settings) {
  return !settings.activation_memory_budget_runtime_estimator && settings.memory_of != MemoryOf::Operators;
}

bool prices_kernels(const Settings& settings, const Estimator& estimator) {
  return &estimator == &estimator_of_frontier(settings) && prices_kernels(settings);
}

void price_kernels(RecomputeProblem& problem, const Analysis& a) {
  const DeviceProfile device = device_of(a.settings, a.graph()).profile;
  const std::vector<ValueTimes> times = value_times(a.graph(), device);
  const ForwardMemory memory(a.graph(), a.roles.required_forward);
  problem.prices_kernels = true;
  std::vector<KeptStorage> kept(problem.storages.size());
  for (Item& item : problem.items) {
    const ValueTimes& of_item = times[index_of(item.node)];
    if (item.run_cost > 0) item.run_cost = std::max(item.run_cost, picoseconds(of_item.reduced_ms));
    if (item.savable && item.has_storage()) kept[item.storage].add(of_item, memory.has(item.node), memory.uses(item.node));
  }
  for (StorageIndex s = 1; s < problem.storages.size(); ++s) {
    problem.storages[s].keep_cost = picoseconds(kept[s].ms(static_cast<double>(problem.storages[s].bytes), device));
  }
}

}  // namespace fxcut
