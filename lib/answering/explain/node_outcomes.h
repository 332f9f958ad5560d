// What became of each node that the decision was made on: where it runs, and whether its value crosses.
#pragma once

#include <vector>

#include "explain/explanation.h"
#include "pipeline/pipeline.h"

namespace fxcut {

class NodeOutcomes {
 public:
  explicit NodeOutcomes(const Decision& decision);

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

}  // namespace fxcut
