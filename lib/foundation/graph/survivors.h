// Where the nodes of the graph as it was read have gone.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "graph/graph.h"

namespace fxcut {

class Survivors {
 public:
  // Of a graph that may have lost dead nodes, and repeats to others (JointGraph::repeats). The graph must outlive this.
  explicit Survivors(const JointGraph& joint);

  // Who stands for the node that had this name: itself, or what it was a repeat of; nobody where it was dead.
  std::optional<NodeId> of(const std::string& name) const;

 private:
  const JointGraph& joint_;
  std::unordered_map<std::string_view, NodeId> alive_;
};

}  // namespace fxcut
