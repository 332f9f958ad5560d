#include "explain/promises.h"

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

class Promising {
 public:
  Promising(const Decision& decision, const Fates& fates, const Settings& settings)
      : decision_(decision), fates_(fates), settings_(settings) {
    for (std::size_t i = 0; i < graph().size(); ++i) {
      const auto storage = storage_of(graph().nodes[i]);
      const bool is_there = fates_.crosses(node_id(i)) || graph().nodes[i].meta.static_lifetime;
      if (storage && is_there) ++kept_in_[*storage];
    }
    find_what_is_saved_for();
  }

  std::vector<Promise> run() const {
    std::vector<Promise> promises;
    std::vector<ModuleRow> rows;
    for (std::size_t i = 0; i < graph().size(); ++i) {
      const NodeId id = node_id(i);
      if (saved_for_[i] == kNoNode) continue;
      const std::int64_t freed = bytes_held_by(saved_for_[i]) - bytes_lacking(id);
      const Wide flops = estimate_flops(graph(), graph()[id], decision_.joint.torch.release);
      const Node& node = graph()[id];
      promises.push_back({id, freed, flops, "", {}});
      rows.push_back({node.provenance ? std::string_view(node.provenance->module) : "",
                      fmt::format("{} {} {}", operator_of(node), freed, flops)});
    }
    return folded(promises, fold_rows(rows));
  }

 private:
  static std::vector<Promise> folded(const std::vector<Promise>& all, const std::vector<FoldedRows>& groups) {
    std::vector<Promise> promises;
    for (const FoldedRows& group : groups) {
      promises.push_back(all[group.rows.front()]);
      promises.back().modules = group.path;
      for (std::size_t i = 1; i < group.rows.size(); ++i) promises.back().alike.push_back(all[group.rows[i]].value);
    }
    return promises;
  }

  // By call, the value that is saved because it is not recomputed; the call itself where that is saved.
  void find_what_is_saved_for() {
    std::vector<NodeId> next_saved(graph().size(), kNoNode);  // by node of the forward alone: computed from it
    saved_for_.assign(graph().size(), kNoNode);
    for (std::size_t i = graph().size(); i-- > 0;) {
      const NodeId id = node_id(i);
      if (fates_.crosses(id)) {
        next_saved[i] = id;
      } else if (fates_.of(id) == Fate::ForwardOnly) {
        for (const NodeId user : decision_.users.of(id)) {
          next_saved[i] = next_saved[index_of(user)];
          if (next_saved[i] != kNoNode) break;
        }
      }
      const NodeFacts* facts = node_facts(decision_.choice);
      const bool is_banned = facts && facts->bans[i] != Ban::None;
      if (graph()[id].is_call() && (fates_.crosses(id) || is_banned)) saved_for_[i] = next_saved[i];
    }
  }

  // Of the storage that this saved value alone keeps.
  std::int64_t bytes_held_by(NodeId saved) const {
    const auto storage = storage_of(graph()[saved]);
    if (!storage) return find_size(graph()[saved], settings_).value_or(0);
    return kept_in_.at(*storage) > 1 ? 0 : decision_.storages.at(*storage);
  }

  // Of the inputs that would have to be there first.
  std::int64_t bytes_lacking(NodeId id) const {
    std::int64_t bytes = 0;
    for (const NodeId input : graph()[id].inputs) {
      const auto storage = storage_of(graph()[input]);
      const bool is_kept = storage && kept_in_.contains(*storage);
      if (is_kept || fates_.crosses(input) || fates_.runs_in_backward(input)) continue;
      bytes += find_size(graph()[input], settings_).value_or(0);
    }
    return bytes;
  }

  const Graph& graph() const { return decision_.joint.graph; }

  const Decision& decision_;
  const Fates& fates_;
  const Settings& settings_;
  std::unordered_map<std::int64_t, std::size_t> kept_in_;  // by storage: how many saved values and parameters
  std::vector<NodeId> saved_for_;
};

double bytes_per_flop(const Promise& promise) {
  return static_cast<double>(promise.freed_bytes) / static_cast<double>(promise.flops);
}

}  // namespace

std::vector<Promise> find_promises(const Decision& decision, const Fates& fates, const Settings& settings) {
  std::vector<Promise> promises = Promising(decision, fates, settings).run();
  std::stable_sort(promises.begin(), promises.end(),
                   [](const Promise& a, const Promise& b) { return bytes_per_flop(a) > bytes_per_flop(b); });
  return promises;
}

}  // namespace fxcut
