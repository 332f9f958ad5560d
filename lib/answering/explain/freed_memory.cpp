#include "explain/freed_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "cost/flops.h"
#include "cost/size.h"
#include "graph/rebuild.h"
#include "layers/layers.h"

namespace fxcut {
namespace {

std::optional<std::int64_t> storage_of(const Node& node) {
  return node.has_tensor() ? node.value->tensor.storage : std::nullopt;
}

class FreedMemoryEstimates {
 public:
  FreedMemoryEstimates(const Decision& decision, const NodeOutcomes& outcomes, const Settings& settings)
      : decision_(decision), outcomes_(outcomes), settings_(settings) {
    for (std::size_t i = 0; i < graph().size(); ++i) {
      const auto storage = storage_of(graph().nodes[i]);
      const bool is_there = outcomes_.crosses(node_id(i)) || graph().nodes[i].meta.static_lifetime;
      if (storage && is_there) ++holders_in_[*storage];
    }
    find_saved_for();
  }

  std::vector<FreedMemory> run() const {
    std::vector<FreedMemory> estimates;
    std::vector<ModuleRow> rows;
    for (std::size_t i = 0; i < graph().size(); ++i) {
      const NodeId id = node_id(i);
      if (saved_for_[i] == kNoNode) continue;
      const std::int64_t freed = bytes_held_by(saved_for_[i]) - bytes_of_missing_inputs(id);
      const Wide flops = estimate_flops(graph(), graph()[id], decision_.joint.torch.release);
      const Node& node = graph()[id];
      estimates.push_back({id, freed, flops, "", {}});
      rows.push_back({node.provenance ? std::string_view(node.provenance->module) : "",
                      fmt::format("{} {} {}", operator_of(node), freed, flops)});
    }
    return folded(estimates, fold_rows(rows));
  }

 private:
  static std::vector<FreedMemory> folded(const std::vector<FreedMemory>& all, const std::vector<FoldedRows>& groups) {
    std::vector<FreedMemory> estimates;
    for (const FoldedRows& group : groups) {
      estimates.push_back(all[group.rows.front()]);
      estimates.back().modules = group.path;
      for (std::size_t i = 1; i < group.rows.size(); ++i) estimates.back().alike.push_back(all[group.rows[i]].value);
    }
    return estimates;
  }

  // By call: the value that is saved because the call is not recomputed; the call itself if it is saved.
  void find_saved_for() {
    std::vector<NodeId> next_saved(graph().size(), kNoNode);  // by node of the forward alone: the one computed from it
    saved_for_.assign(graph().size(), kNoNode);
    for (std::size_t i = graph().size(); i-- > 0;) {
      const NodeId id = node_id(i);
      if (outcomes_.crosses(id)) {
        next_saved[i] = id;
      } else if (outcomes_.of(id) == NodeOutcome::ForwardOnly) {
        for (const NodeId user : decision_.users.of(id)) {
          next_saved[i] = next_saved[index_of(user)];
          if (next_saved[i] != kNoNode) break;
        }
      }
      const NodeFacts* facts = node_facts(decision_.choice);
      const bool is_banned = facts && facts->bans[i] != Ban::None;
      if (graph()[id].is_call() && (outcomes_.crosses(id) || is_banned)) saved_for_[i] = next_saved[i];
    }
  }

  // Of the storage, if no other saved value is in it.
  std::int64_t bytes_held_by(NodeId saved) const {
    const auto storage = storage_of(graph()[saved]);
    if (!storage) return find_size(graph()[saved], settings_).value_or(0);
    return holders_in_.at(*storage) > 1 ? 0 : decision_.storages.at(*storage);
  }

  // Of the inputs that the backward does not have.
  std::int64_t bytes_of_missing_inputs(NodeId id) const {
    std::int64_t bytes = 0;
    for (const NodeId input : graph()[id].inputs) {
      const auto storage = storage_of(graph()[input]);
      const bool is_held = storage && holders_in_.contains(*storage);
      if (is_held || outcomes_.crosses(input) || outcomes_.runs_in_backward(input)) continue;
      bytes += find_size(graph()[input], settings_).value_or(0);
    }
    return bytes;
  }

  const Graph& graph() const { return decision_.joint.graph; }

  const Decision& decision_;
  const NodeOutcomes& outcomes_;
  const Settings& settings_;
  std::unordered_map<std::int64_t, std::size_t> holders_in_;  // by storage: the number of saved values and parameters
  std::vector<NodeId> saved_for_;
};

double bytes_per_flop(const FreedMemory& estimate) {
  return static_cast<double>(estimate.freed_bytes) / static_cast<double>(estimate.flops);
}

}  // namespace

std::vector<FreedMemory> estimate_freed_memory(const Decision& decision, const NodeOutcomes& outcomes,
                                               const Settings& settings) {
  std::vector<FreedMemory> estimates = FreedMemoryEstimates(decision, outcomes, settings).run();
  std::int64_t most = 0;
  for (const FreedMemory& estimate : estimates) most = std::max(most, estimate.total_bytes());
  const auto is_large = [&](const FreedMemory& estimate) { return is_worth_ranking(estimate.total_bytes(), most); };
  std::stable_sort(estimates.begin(), estimates.end(), [&](const FreedMemory& a, const FreedMemory& b) {
    return is_large(a) != is_large(b) ? is_large(a) : bytes_per_flop(a) > bytes_per_flop(b);
  });
  return estimates;
}

}  // namespace fxcut
