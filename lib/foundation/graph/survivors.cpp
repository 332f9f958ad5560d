#include "graph/survivors.h"

namespace fxcut {

Survivors::Survivors(const JointGraph& joint) : joint_(joint) {
  alive_.reserve(joint.graph.size());
  for (std::size_t i = 0; i < joint.graph.size(); ++i) alive_.emplace(joint.graph.nodes[i].name, node_id(i));
}

std::optional<NodeId> Survivors::of(const std::string& name) const {
  const std::string* current = &name;
  for (auto repeat = joint_.repeats.find(name); repeat != joint_.repeats.end(); repeat = joint_.repeats.find(*current)) {
    current = &repeat->second;  // a later round may have merged it, too
  }
  const auto found = alive_.find(*current);
  return found == alive_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace fxcut
