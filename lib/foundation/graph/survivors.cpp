#include "graph/survivors.h"

namespace fxcut {

Survivors::Survivors(const JointGraph& joint) : joint_(joint) {
  alive_.reserve(joint.graph.size());
  for (std::size_t i = 0; i < joint.graph.size(); ++i) alive_.emplace(joint.graph.nodes[i].name, node_id(i));
}

std::optional<NodeId> Survivors::of(const std::string& name) const {
  const std::string* stands = &name;
  for (auto repeat = joint_.repeats.find(name); repeat != joint_.repeats.end(); repeat = joint_.repeats.find(*stands)) {
    stands = &repeat->second;  // which a later round may have found to be a repeat itself
  }
  const auto found = alive_.find(*stands);
  return found == alive_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace fxcut
