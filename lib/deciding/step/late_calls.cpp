#include "step/late_calls.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "classify/purity.h"
#include "classify/views_and_writes.h"
#include "cost/size.h"
#include "step/backward_regions.h"

namespace fxcut {
namespace {

void for_each_tensor(const Value* value, const auto& visit) {
  if (!value) return;
  if (value->is_tensor()) visit(value->tensor);
  for (const Value& item : value->items) for_each_tensor(&item, visit);
}

void for_each_storage_of(const Node& node, const auto& visit) {
  for_each_tensor(node.value.get(), [&](const Tensor& tensor) {
    if (tensor.storage) visit(*tensor.storage);
  });
}

// The position after the last write to each storage so far.
class LastWrites {
 public:
  explicit LastWrites(const Graph& step) : step_(step) {}

  void add(std::size_t position) {
    if (!writes(step_.nodes[position])) return;
    for (const NodeId input : written_inputs(step_.nodes[position])) {
      for_each_storage_of(step_[input], [&](std::int64_t storage) { behind_[storage] = position + 1; });
    }
  }

  // The position after the last write to the node's inputs; 0 if there is none.
  std::size_t behind_inputs_of(const Node& node) const {
    std::size_t behind = 0;
    for (const NodeId input : node.inputs) {
      for_each_storage_of(step_[input], [&](std::int64_t storage) {
        if (const auto found = behind_.find(storage); found != behind_.end()) behind = std::max(behind, found->second);
      });
    }
    return behind;
  }

 private:
  const Graph& step_;
  std::unordered_map<std::int64_t, std::size_t> behind_;
};

class LateCalls {
 public:
  LateCalls(const Graph& step, const std::vector<bool>& dependent, const std::vector<bool>& taken, std::size_t end)
      : step_(step), end_(end), storages_(storage_bytes(step)), may_be_early_(step.size(), false), is_late_(step.size(), false),
        is_seen_(step.size(), false) {
    LastWrites written(step);
    for (std::size_t i = end; i < step.size(); ++i) {
      may_be_early_[i] = !dependent[i] && !taken[i] && can_move(step.nodes[i]) && written.behind_inputs_of(step.nodes[i]) == 0;
      written.add(i);
    }
  }

  std::vector<bool> run() {
    for (const OutputLeaf& leaf : output_leaves(step_)) {
      if (leaf.node && may_be_early_[index_of(*leaf.node)]) consider(*leaf.node);
    }
    return std::move(is_late_);
  }

 private:
  bool can_move(const Node& node) const {
    return node.is_call() && node.callee->kind != Operator::Kind::HigherOrder && !is_impure(node) && !is_mutation(node) &&
           !is_random(node) && std::ranges::all_of(node.inputs, [&](NodeId input) {
             return index_of(input) < end_ || may_be_early_[index_of(input)] || !step_[input].is_call();
           });
  }

  // Moves the late calls that the output needs, if making them early is worthwhile.
  void consider(NodeId output) {
    std::vector<std::size_t> needed, open = {index_of(output)};
    std::unordered_set<std::int64_t> read;
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      if (i < end_ || !step_.nodes[i].is_call()) {
        if (step_.nodes[i].is_call()) for_each_storage_of(step_.nodes[i], [&](std::int64_t storage) { read.insert(storage); });
        continue;
      }
      if (is_seen_[i]) continue;
      is_seen_[i] = true;
      needed.push_back(i);
      for (const NodeId input : step_.nodes[i].inputs) open.push_back(index_of(input));
    }
    std::int64_t read_bytes = 0, made_bytes = 0;
    for (const std::int64_t storage : read) read_bytes += storages_.at(storage);
    for_each_storage_of(step_[output], [&](std::int64_t storage) {
      if (!read.contains(storage)) made_bytes += storages_.at(storage);
    });
    if (read.empty() || made_bytes > read_bytes) return;
    for (const std::size_t i : needed) is_late_[i] = true;
  }

  const Graph& step_;
  const std::size_t end_;
  const StorageBytes storages_;
  std::vector<bool> may_be_early_, is_late_;  // by node
  std::vector<bool> is_seen_;                 // by node: for an output before
};

}  // namespace

std::vector<bool> find_dependent(const Graph& step, std::vector<bool> is_backward) {
  std::vector<bool> dependent = std::move(is_backward);
  std::unordered_set<std::int64_t> written;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const Node& node = step.nodes[i];
    for (const NodeId input : node.inputs) {
      if (dependent[index_of(input)]) dependent[i] = true;
      if (dependent[i] || written.empty() || !node.is_call()) continue;
      for_each_storage_of(step[input], [&](std::int64_t storage) {
        if (written.contains(storage)) dependent[i] = true;
      });
    }
    if (!dependent[i] || !writes(node)) continue;
    for (const NodeId input : written_inputs(node)) {
      for_each_storage_of(step[input], [&](std::int64_t storage) { written.insert(storage); });
    }
  }
  return dependent;
}

std::vector<bool> find_late_calls(const Graph& step, const std::vector<bool>& dependent, const std::vector<bool>& taken,
                                  std::size_t end) {
  return LateCalls(step, dependent, taken, end).run();
}

std::vector<NodeId> order_with_late_calls(const Graph& step) {
  const std::vector<BackwardRegion> regions = backward_regions(step, find_backward(step));
  const std::size_t end = regions.empty() ? step.size() : regions.back().end;
  std::vector<std::size_t> place(step.size());  // by node: the position in the step that it comes before, or its own
  std::vector<std::vector<NodeId>> before(step.size());
  LastWrites written(step);
  for (std::size_t i = 0; i < step.size(); ++i) {
    const Node& node = step.nodes[i];
    place[i] = i;
    if (i >= end && node.is_call() && !node.meta.is_after_loss()) {
      std::size_t earliest = written.behind_inputs_of(node);
      for (const NodeId input : node.inputs) {
        const std::size_t at = place[index_of(input)];
        earliest = std::max(earliest, at == index_of(input) ? at + 1 : at);
      }
      const auto region = std::ranges::lower_bound(regions, earliest, {}, &BackwardRegion::begin);
      if (region != regions.end()) before[place[i] = region->begin].push_back(node_id(i));
    }
    written.add(i);
  }
  std::vector<NodeId> order;
  order.reserve(step.size());
  for (std::size_t i = 0; i < step.size(); ++i) {
    order.insert(order.end(), before[i].begin(), before[i].end());
    if (place[i] == i) order.push_back(node_id(i));
  }
  return order;
}

}  // namespace fxcut
