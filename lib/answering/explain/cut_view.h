// The last minimum cut that was solved, from the view of single values.
#pragma once

#include <optional>
#include <vector>

#include "explain/explanation.h"
#include "pipeline/pipeline.h"
#include "solve/flow_network.h"

namespace fxcut {

struct WeighedFacts {
  Weight weight;
  WeightLimit limit;
  std::optional<AlternativeCut> alternative_cut;
};

class CutView {
 public:
  // Solves the minimum cut of the decision again.
  CutView(const Decision& decision, const Settings& settings);

  // Empty for values that the cut cannot pass through.
  std::optional<WeighedFacts> of(NodeId value) const;

 private:
  std::vector<WeighedValue> cut_by_first_only(const MinCut& first, const MinCut& second) const;

  const Decision& decision_;
  CutSide side_;
  FlowNetwork network_;
  MinCut cut_;
  std::vector<std::size_t> edge_of_;  // by node, its position in the network, or kNoEdge
};

}  // namespace fxcut
