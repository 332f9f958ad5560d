#include "explain/freed_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "cost/device_profile.h"
#include "cost/estimators.h"
#include "cost/fused_roofline.h"
#include "cost/size.h"
#include "graph/rebuild.h"
#include "report/layers.h"

namespace fxcut {
namespace {

// Sums end here: values that are counted twice double them with each layer.
constexpr Int128 kMaxTime = Int128(1) << 62;

class FreedMemoryEstimates {
 public:
  FreedMemoryEstimates(const Decision& decision, const NodeOutcomes& outcomes, const Settings& settings)
      : decision_(decision), outcomes_(outcomes), settings_(settings) {
    for (std::size_t i = 0; i < graph().size(); ++i) {
      const auto storage = graph().nodes[i].storage();
      if (!storage) continue;
      made_by_.emplace(*storage, node_id(i));
      if (outcomes_.crosses(node_id(i)) || graph().nodes[i].meta.static_lifetime) ++holders_in_[*storage];
    }
    price_calls();
    find_saved_for();
    find_needs();
  }

  std::vector<FreedMemory> run() const {
    std::vector<FreedMemory> estimates;
    std::vector<ModuleRow> rows;
    for (std::size_t i = 0; i < graph().size(); ++i) {
      const NodeId id = node_id(i);
      const NodeId saved = saved_for_[i];
      if (saved == kNoNode || decision_.choice.repaired.contains(saved)) continue;
      const Need inputs = need_of_inputs(id, saved);
      const std::int64_t freed = bytes_held_by(saved, id) - inputs.bytes;
      const Int128 time = time_to_saved_[i] + inputs.run_time;
      const Node& node = graph()[id];
      estimates.push_back({id, freed, time, "", {}});
      rows.push_back({node.provenance ? std::string_view(node.provenance->module) : "",
                      fmt::format("{} {} {}", operator_of(node), freed, time)});
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

  void price_calls() {
    const DeviceProfile device = device_of(settings_, graph()).profile;
    for (const double ms : fused_roofline_ms(graph(), device)) run_times_.push_back(std::max<Int128>(picoseconds(ms), 1));
  }

  // By call: the value that is saved because the call is not recomputed, the nearest in run time; the call itself if it is saved.
  void find_saved_for() {
    std::vector<NodeId> next_saved(graph().size(), kNoNode);  // by node of the forward alone: the one computed from it
    saved_for_.assign(graph().size(), kNoNode);
    time_to_saved_.assign(graph().size(), 0);
    for (std::size_t i = graph().size(); i-- > 0;) {
      const NodeId id = node_id(i);
      Int128& time = time_to_saved_[i];
      if (outcomes_.crosses(id)) {
        next_saved[i] = id;
      } else if (outcomes_.of(id) == NodeOutcome::ForwardOnly) {
        for (const NodeId user : decision_.users.of(id)) {
          const NodeId saved = next_saved[index_of(user)];
          if (saved == kNoNode || (next_saved[i] != kNoNode && time_to_saved_[index_of(user)] >= time)) continue;
          next_saved[i] = saved;
          time = time_to_saved_[index_of(user)];
        }
      }
      if (!graph()[id].is_call() || next_saved[i] == kNoNode) continue;
      time += run_times_[i];
      const NodeFacts* facts = node_facts(decision_.choice);
      const bool is_banned = facts && facts->bans[i] != Ban::None;
      if (outcomes_.crosses(id) || is_banned) saved_for_[i] = next_saved[i];
    }
  }

  // The storage's bytes, if all saved values in it are computed from the candidate.
  std::int64_t bytes_held_by(NodeId saved, NodeId candidate) const {
    const auto storage = graph()[saved].storage();
    if (!storage) return find_size(graph()[saved], settings_).value_or(0);
    const bool is_candidates = candidate <= made_by_.at(*storage);
    return holders_in_.at(*storage) > 1 && !is_candidates ? 0 : decision_.storages.at(*storage);
  }

  // The cost for the backward to have a value: the bytes saved and the time recomputed for it.
  struct Need {
    std::int64_t bytes = 0;
    Int128 run_time = 0;
  };

  // By node: it is recomputed if it may be and if that takes less memory than saving it, and saved otherwise. The needs of two
  // inputs are added, so a shared one is counted twice.
  void find_needs() {
    const NodeFacts* facts = node_facts(decision_.choice);
    needs_.resize(graph().size());
    for (std::size_t i = 0; i < graph().size(); ++i) {
      const NodeId id = node_id(i);
      const auto storage = graph()[id].storage();
      if (outcomes_.crosses(id) || outcomes_.runs_in_backward(id) || (storage && holders_in_.contains(*storage))) continue;
      const std::int64_t bytes = storage ? decision_.storages.at(*storage) : find_size(graph()[id], settings_).value_or(0);
      needs_[i] = {bytes, 0};
      if (!graph()[id].is_call() || !facts || facts->bans[i] != Ban::None) continue;
      Need recomputed{0, run_times_[i]};
      for (const NodeId input : graph()[id].inputs) {
        recomputed.bytes += needs_[index_of(input)].bytes;
        recomputed.run_time += needs_[index_of(input)].run_time;
        if (recomputed.bytes >= bytes || recomputed.run_time > kMaxTime) break;
      }
      if (recomputed.bytes < bytes && recomputed.run_time <= kMaxTime) needs_[i] = recomputed;
    }
  }

  // The saved value itself is left out: no input is computed from it, but inputs may be views of it.
  Need need_of_inputs(NodeId id, NodeId saved) const {
    Need all;
    std::unordered_set<NodeId> counted;
    for (const NodeId input : graph()[id].inputs) {
      if (!counted.insert(input).second) continue;
      Need need = needs_[index_of(input)];
      const auto storage = graph()[input].storage();
      const bool is_there = outcomes_.crosses(input) || outcomes_.runs_in_backward(input);
      if (storage && !is_there && !is_held_without(saved, *storage) && holders_in_.contains(*storage)) {
        need.bytes = decision_.storages.at(*storage);
      }
      all.bytes += need.bytes;
      all.run_time += need.run_time;
    }
    return all;
  }

  bool is_held_without(NodeId saved, std::int64_t storage) const {
    const auto held = holders_in_.find(storage);
    return held != holders_in_.end() && held->second > (graph()[saved].storage() == storage ? 1u : 0u);
  }

  const Graph& graph() const { return decision_.joint.graph; }

  const Decision& decision_;
  const NodeOutcomes& outcomes_;
  const Settings& settings_;
  std::unordered_map<std::int64_t, std::size_t> holders_in_;  // by storage: the number of saved values and parameters
  std::unordered_map<std::int64_t, NodeId> made_by_;          // by storage: the first node in it
  std::vector<Int128> run_times_;                             // by node: picoseconds, at least 1
  std::vector<Need> needs_;
  std::vector<NodeId> saved_for_;
  std::vector<Int128> time_to_saved_;  // by call: of it and of what is computed from it up to that value
};

}  // namespace

std::vector<FreedMemory> estimate_freed_memory(const Decision& decision, const NodeOutcomes& outcomes,
                                               const Settings& settings) {
  return FreedMemoryEstimates(decision, outcomes, settings).run();
}

}  // namespace fxcut
