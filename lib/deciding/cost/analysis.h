// The input of the costs and bans of a graph; fixed before they are computed.
#pragma once

#include <cstdint>
#include <vector>

#include "extract/roles.h"
#include "graph/graph.h"
#include "settings/settings.h"

namespace fxcut {

struct Analysis {
  const JointGraph& joint;
  const Users& users;
  const Roles& roles;
  const std::vector<std::int64_t>& distance;  // from the backward
  const Settings& settings;

  const Graph& graph() const { return joint.graph; }
  const Node& node(NodeId id) const { return joint.graph[id]; }
};

}  // namespace fxcut
