#include "memory/lifetimes.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "classify/collectives.h"
#include "memory/placement.h"

namespace fxcut {
namespace {

using Owner = Allocation::Owner;

class Walk {
 public:
  // `first` is the graph that runs first.
  Walk(const Graph& first, const StorageBytes& storages, const MergedStorages& merged)
      : merged_(merged), sizes_(storages, has_device(first)) {}

  // For each position among the placeholders: memory from the graph before.
  using Arrivals = std::unordered_map<std::size_t, Placement>;

  Arrivals run(Side side, const Graph& graph, const Arrivals& arriving, const std::vector<CarriedValue>& carried) {
    run_side(side, graph, arriving);
    Arrivals leaving = return_outputs(graph, carried);
    settle_uses();
    return leaving;
  }

  // Ends all memory here but what arrives in the next graph, and parameters. By allocation, whether it is of the former.
  std::vector<bool> end_all_but(const Arrivals& arriving) {
    std::vector<bool> is_held(result_.allocations.size(), false);
    for (const auto& [position, placement] : arriving) {
      for (const PlacedTensor& placed : placement.tensors) is_held[static_cast<std::size_t>(placed.allocation)] = true;
    }
    for (std::size_t i = 0; i < is_held.size(); ++i) {
      Allocation& allocation = result_.allocations[i];
      is_held[i] = is_held[i] && allocation.owner != Owner::Parameters;
      if (allocation.owner != Owner::Parameters) allocation.last_step = std::min(allocation.last_step, steps().size() - 1);
    }
    return is_held;
  }

  Lifetimes take() { return std::move(result_); }

 private:

  void run_side(Side side, const Graph& graph, const Arrivals& arriving) {
    side_ = side;
    const std::size_t first_step = steps().size();
    std::size_t position = 0;
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const Node& node = graph.nodes[i];
      if (node.is_placeholder()) {
        const auto found = arriving.find(position++);
        placements_.push_back(found != arriving.end() ? found->second : place_input(node, node_id(i), first_step));
        last_use_.push_back(first_step);
      } else {
        steps().push_back({side, node_id(i)});
        use_inputs_of(node);
        for (const NodeId collective : awaited_collectives(graph, node)) use_inputs_of(graph[collective]);
        placements_.push_back(node.is_call() ? run_call(node, node_id(i)) : place_input(node, node_id(i), first_step));
        last_use_.push_back(0);
      }
    }
  }

  void use_inputs_of(const Node& node) {
    for (const NodeId input : node.inputs) last_use_[index_of(input)] = steps().size() - 1;
  }

  // The memory of a placeholder or a constant: inputs may share theirs.
  Placement place_input(const Node& node, NodeId id, std::size_t first_step) {
    const bool is_static = node.meta.static_lifetime || node.opcode == Opcode::GetAttr;
    const Owner owner = is_static ? Owner::Parameters : side_ == Side::Forward ? Owner::Inputs : Owner::Step;
    const auto put = [&](const Tensor& tensor, std::optional<AllocationId> known) {
      const AllocationId allocation = known ? *known : allocate(node, id, tensor, first_step);
      Allocation& placed = at(allocation);
      placed.last_step = Allocation::kKeptByCaller;
      if (!known || owner == Owner::Parameters) placed.owner = owner;
      return allocation;
    };
    return place_tensors(node, placements_, merged_, inputs_, std::cref(put));
  }

  Placement run_call(const Node& node, NodeId id) {
    const auto put = [&](const Tensor& tensor, std::optional<AllocationId> shared) {
      return shared ? *shared : allocate(node, id, tensor, steps().size() - 1);
    };
    return place_tensors(node, placements_, merged_, inputs_, std::cref(put));
  }

  AllocationId allocate(const Node& node, NodeId id, const Tensor& tensor, std::size_t step) {
    result_.allocations.push_back({side_, id, sizes_.of(node, tensor), Owner::Step, step, step});
    return static_cast<AllocationId>(result_.allocations.size() - 1);
  }

  // Sets last steps once for each node: each user of a tuple uses all its tensors.
  void settle_uses() {
    for (std::size_t i = 0; i < placements_.size(); ++i) {
      for (const PlacedTensor& placed : placements_[i].tensors) {
        std::size_t& last_step = at(placed.allocation).last_step;
        last_step = std::max(last_step, last_use_[i]);
      }
    }
    placements_.clear();
    last_use_.clear();
  }

  // The caller keeps a side's outputs, except those that the forward returns for the backward.
  Arrivals return_outputs(const Graph& graph, const std::vector<CarriedValue>& carried) {
    std::unordered_map<std::size_t, std::size_t> backward_input;
    for (const CarriedValue& value : carried) backward_input.emplace(value.forward_output, value.backward_input);
    Arrivals arriving;
    const std::vector<OutputLeaf> outputs = output_leaves(graph);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!outputs[i].node) continue;
      const std::size_t node = index_of(*outputs[i].node);
      const auto found = backward_input.find(i);
      if (found == backward_input.end()) {
        last_use_[node] = Allocation::kKeptByCaller;
      } else {
        arriving.emplace(found->second, placements_[node]);
      }
    }
    return arriving;
  }

  Allocation& at(AllocationId id) { return result_.allocations[static_cast<std::size_t>(id)]; }
  std::vector<Step>& steps() { return result_.steps; }

  const MergedStorages& merged_;
  MemorySizes sizes_;
  Side side_ = Side::Forward;
  Lifetimes result_;
  std::vector<Placement> placements_;   // by node of the current side
  std::vector<std::size_t> last_use_;   // the same: the last step that uses its value
  MemoryOfStorages inputs_;             // of inputs and constants
};

}  // namespace

Lifetimes find_lifetimes(const GraphPair& graphs, const std::vector<CarriedValue>& carried,
                         const StorageBytes& storages, const MergedStorages& merged) {
  Walk walk(graphs.forward, storages, merged);
  const Walk::Arrivals arriving = walk.run(Side::Forward, graphs.forward, {}, carried);
  walk.run(Side::Backward, graphs.backward, arriving, {});
  return walk.take();
}

SplitLifetimes find_lifetimes(const SplitStep& step, const StorageBytes& storages, const MergedStorages& merged) {
  Walk walk(step.forward, storages, merged);
  const Walk::Arrivals saved = walk.run(Side::Forward, step.forward, {}, step.saved);
  const Walk::Arrivals held = walk.run(Side::BackwardInput, step.input, saved, step.held);
  std::vector<bool> is_held = walk.end_all_but(held);
  walk.run(Side::BackwardWeight, step.weight, held, {});
  SplitLifetimes found{walk.take(), std::move(is_held)};
  found.is_held.resize(found.lifetimes.allocations.size(), false);
  return found;
}

Lifetimes find_lifetimes(const Graph& step, const StorageBytes& storages, const MergedStorages& merged) {
  Walk walk(step, storages, merged);
  walk.run(Side::Forward, step, {}, {});
  return walk.take();
}

}  // namespace fxcut
