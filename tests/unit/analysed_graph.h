// A graph with all that costs and bans are computed from.
#pragma once

#include <string_view>
#include <utility>

#include "cost/analysis.h"
#include "graph_text.h"

namespace fxcut {

struct AnalysedGraph {
  explicit AnalysedGraph(std::string_view text, Settings given = {})
      : joint(joint_graph(text)),
        users(joint.graph),
        roles(classify(joint, users)),
        distance(distance_from_backward(joint.graph, users, roles)),
        settings(std::move(given)) {}
  // `analysis` refers to the other members.
  AnalysedGraph(const AnalysedGraph&) = delete;
  AnalysedGraph& operator=(const AnalysedGraph&) = delete;

  NodeId id(std::string_view name) const { return id_named(joint.graph, name); }
  std::size_t index(std::string_view name) const { return index_of(id(name)); }

  JointGraph joint;
  Users users;
  Roles roles;
  std::vector<std::int64_t> distance;
  Settings settings;
  Analysis analysis{joint, users, roles, distance, settings};
};

}  // namespace fxcut
