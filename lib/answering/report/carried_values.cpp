#include "report/carried_values.h"

namespace fxcut {
namespace {

// A placeholder that is in no file, and is a tensor and not a generator.
bool is_random_state(const Node& placeholder) { return placeholder.origin == kNoOrigin && placeholder.has_tensor(); }

struct BackwardInputs {
  explicit BackwardInputs(const Graph& backward) {
    std::size_t position = 0;
    for (const Node& node : backward.nodes) {
      if (!node.is_placeholder()) continue;
      if (is_random_state(node)) {
        random_states.push_back(position);
      } else {
        by_target.emplace(node.target, position);
      }
      ++position;
    }
  }
  // Keyed by the forward's name: a copy in host memory may have another one in the backward, if its own was not free.
  std::unordered_map<std::string_view, std::size_t> by_target;
  std::vector<std::size_t> random_states;
};

}  // namespace

HostNames host_names(const std::vector<OffloadCandidate>& offloads) {
  HostNames names;
  for (const OffloadCandidate& candidate : offloads) {
    if (!candidate.host_name.empty()) names.emplace(candidate.name, candidate.host_name);
  }
  return names;
}

std::vector<CarriedValue> carried_values(const JointGraph& joint, const Crossing& crossing, const Finished& finished) {
  const HostNames on_host = host_names(finished.offloads);
  const BackwardInputs inputs(finished.graphs.backward);
  std::vector<CarriedValue> carried;
  const auto add = [&](std::size_t backward_input) {
    carried.push_back({joint.num_forward_outputs + carried.size(), backward_input});
  };
  const auto add_all = [&](const std::vector<NodeId>& ids) {
    for (const NodeId id : ids) {
      const std::string_view name = joint.graph[id].name;
      const auto copy = on_host.find(name);
      add(inputs.by_target.at(copy == on_host.end() ? name : copy->second));
    }
  };
  add_all(crossing.values);
  add_all(crossing.opaques);
  for (const std::size_t position : inputs.random_states) add(position);
  add_all(crossing.symbols);
  return carried;
}

}  // namespace fxcut
