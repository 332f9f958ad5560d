#include "eager/regions.h"

#include <algorithm>
#include <unordered_set>

namespace fxcut {

Regions::Regions(const std::string& pattern) {
  if (!pattern.empty()) pattern_ = Pattern::glob(pattern);
}

std::optional<std::string> Regions::of(std::string_view module) const {
  if (!pattern_) return "";
  for (std::size_t end = 0; end != std::string_view::npos && !module.empty();) {
    end = module.find('.', end + 1);
    const std::string_view outer = module.substr(0, end);
    if (pattern_->matches(outer)) return std::string(outer);
  }
  return std::nullopt;
}

bool Regions::have_any(const EagerCalls& calls) const {
  return std::ranges::any_of(calls.counts, [&](const auto& entry) { return of(entry.first.first).has_value(); });
}

std::vector<EnteringValue> find_entering(const Graph& graph, const EagerCalls& calls, const Regions& regions,
                                         const SavedOwners& owners) {
  std::vector<EnteringValue> entering;
  std::unordered_set<std::int64_t> found;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& user = graph.nodes[i];
    const std::optional<std::string> region = calls.by_node[i] ? regions.of(calls.by_node[i]->module) : std::nullopt;
    if (!region) continue;
    for (const NodeId input : user.inputs) {
      const Node& value = graph[input];
      if (!value.storage() || owners.of(value.name).is_input) continue;
      const Node& maker = graph[owners.of(value.name).call];
      if (regions.of(eager_module(maker)) == region || !found.insert(*value.storage()).second) continue;
      entering.push_back({value.name, *region, *value.storage(), owners.bytes_of(*value.storage())});
    }
  }
  return entering;
}

}  // namespace fxcut
