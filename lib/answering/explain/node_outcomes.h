// The side on which each node of the decision runs, and whether its value is saved.
#pragma once

#include <vector>

#include "explain/explanation.h"
#include "partition/partition.h"

namespace fxcut {

class NodeOutcomes {
 public:
  explicit NodeOutcomes(const Decision& decision);
  // `sides` are the decision's plan().
  NodeOutcomes(const Decision& decision, ForwardBackward sides);

  NodeOutcome of(NodeId id) const;

  bool crosses(NodeId id) const { return crosses_[index_of(id)]; }
  bool runs_in_forward(NodeId id) const { return runs(sides_.forward, id); }
  bool runs_in_backward(NodeId id) const { return runs(sides_.backward, id); }

 private:
  bool runs(const ExtractionPlan& side, NodeId id) const;

  const Graph& graph_;
  ForwardBackward sides_;
  std::vector<bool> crosses_;
};

// For a node that only the forward has; `path` is its path_to_saved.
Why why_forward_only(const Decision& decision, NodeId id, const std::vector<NodeId>& path);
// For a node that only the backward has.
Why why_backward_only(const Decision& decision, NodeId id);
// For a node that is not in the graph that was decided on, or its output. `same_as` is the node that a merged one became.
Why why_removed(NodeOutcome outcome, const std::string& same_as);

}  // namespace fxcut
