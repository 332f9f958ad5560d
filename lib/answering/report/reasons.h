// The reasons for saving and recomputing, from the data of the decision.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "report/report.h"

namespace fxcut {

class Reasons {
 public:
  Reasons(const JointGraph& joint, const SavedValues& choice, const PolicyOutcome& tagged);

  Why of_saved(NodeId id) const;
  Why of_recomputed(NodeId id) const;
  // For a symbolic number, which may also cross because sizes in the backward need it.
  Why of_symbol(NodeId id) const;

 private:
  void find_roots(const NodeFacts& facts);
  Why with_policy(NodeId id, Why why) const;
  Why reason_for_saved(NodeId id) const;
  Why saved_by(const ByDefaultPartitioner& by, NodeId id) const;
  Why saved_by(const ByMinCut& by, NodeId id) const;
  Why saved_by(const ByZeroBudget& by, NodeId id) const;
  Why saved_by(const ByLackOfCandidates& by, NodeId id) const;
  Why saved_by(const ByFrontier& by, NodeId id) const;
  Why saved_by(const ByOther& by, NodeId id) const;
  Why reason_for_recomputed(NodeId id) const;
  bool is_tagged_by_user(NodeId id) const;

  const JointGraph& joint_;
  const SavedValues& choice_;
  const PolicyOutcome& tagged_;
  // If a cut decided, by node that the backward does not have: the node that must not be recomputed from which it is computed,
  // the first one along its inputs. Because of that node a value on the path has to be saved.
  std::vector<NodeId> root_;
};

// The text of a reason without the start of its path, so that values share it.
std::string general_reason(const Why& why);

}  // namespace fxcut
