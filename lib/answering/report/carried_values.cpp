#include "report/carried_values.h"

#include <unordered_set>

namespace fxcut {
namespace {

// Whether the placeholder is a generator's state: a tensor that is in no file. `in_place`: those that cross in place of a value.
bool is_random_state(const Node& placeholder, const std::unordered_set<std::string_view>& in_place) {
  return placeholder.origin == kNoOrigin && placeholder.has_tensor() && !in_place.contains(placeholder.target);
}

struct BackwardInputs {
  explicit BackwardInputs(const Finished& finished) {
    const Graph& backward = finished.graphs.backward;
    std::unordered_set<std::string_view> in_place;
    for (const QuantizedValue& value : finished.quantized) in_place.insert({value.quantized, value.scale});
    for (const OffloadCandidate& candidate : finished.offloads) in_place.insert(candidate.host_name);
    std::size_t position = 0;
    for (const Node& node : backward.nodes) {
      if (!node.is_placeholder()) continue;
      if (is_random_state(node, in_place)) {
        random_states.push_back(position);
      } else {
        by_target.emplace(node.target, position);
      }
      ++position;
    }
  }
  // Keyed by the forward's name: a copy in host memory may have another name in the backward, if its own was taken there.
  std::unordered_map<std::string_view, std::size_t> by_target;
  std::vector<std::size_t> random_states;
};

}  // namespace

CrossingNames crossing_names(const Finished& finished) {
  CrossingNames copied, names;
  for (const OffloadCandidate& candidate : finished.offloads) {
    if (!candidate.host_name.empty()) copied.emplace(candidate.name, candidate.host_name);
  }
  for (const QuantizedValue& value : finished.quantized) {
    const auto copy = copied.find(value.quantized);
    names.emplace(value.name, copy == copied.end() ? std::string_view(value.quantized) : copy->second);
  }
  names.merge(copied);
  return names;
}

std::vector<CarriedValue> carried_values(const JointGraph& joint, const Crossing& crossing, const Finished& finished) {
  const CrossingNames crosses_as = crossing_names(finished);
  const BackwardInputs inputs(finished);
  std::vector<CarriedValue> carried;
  const auto add = [&](std::size_t backward_input) {
    carried.push_back({joint.num_forward_outputs + carried.size(), backward_input});
  };
  const auto add_all = [&](const std::vector<NodeId>& ids) {
    for (const NodeId id : ids) {
      const std::string_view name = joint.graph[id].name;
      const auto other = crosses_as.find(name);
      add(inputs.by_target.at(other == crosses_as.end() ? name : other->second));
    }
  };
  add_all(crossing.values);
  add_all(crossing.opaques);
  for (const QuantizedValue& value : finished.quantized) {
    if (!value.scale.empty()) add(inputs.by_target.at(value.scale));
  }
  for (const std::size_t position : inputs.random_states) add(position);
  add_all(crossing.symbols);
  return carried;
}

}  // namespace fxcut
