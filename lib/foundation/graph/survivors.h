// Nodes of the graph as read in the graph as it is now.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "graph/graph.h"

namespace fxcut {

class Survivors {
 public:
  // `joint` may have lost dead nodes, and repeats to others (JointGraph::repeats). It must outlive this.
  explicit Survivors(const JointGraph& joint);

  // The node that represents the node of this name: itself, or the one that it was merged into; none if it was dead.
  std::optional<NodeId> of(const std::string& name) const;

 private:
  const JointGraph& joint_;
  std::unordered_map<std::string_view, NodeId> alive_;
};

}  // namespace fxcut
