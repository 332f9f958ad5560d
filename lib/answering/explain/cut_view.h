// The last cut that was solved, as the values that it weighed see it.
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
  std::optional<AlternativeCut> other_cut;
};

class CutView {
 public:
  // Of a decision by a minimum cut, which is solved again.
  CutView(const Decision& decision, const Settings& settings);

  // Of a value that the cut may go through; nothing of others.
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
