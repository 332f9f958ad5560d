// Reasons, from what the cut was decided by.
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
  // Of a symbolic number, which may cross though no cut saved it: sizes in the backward need it.
  Why of_symbol(NodeId id) const;

 private:
  void find_roots(const NodeFacts& facts);
  Why with_policy(NodeId id, Why why) const;
  Why of_kept(NodeId id) const;
  Why kept(const ByDefaultPartitioner& by, NodeId id) const;
  Why kept(const ByMinCut& by, NodeId id) const;
  Why kept(const ByZeroBudget& by, NodeId id) const;
  Why kept(const ByLackOfCandidates& by, NodeId id) const;
  Why kept(const ByFrontier& by, NodeId id) const;
  Why kept(const ByOther& by, NodeId id) const;
  Why of_run_again(NodeId id) const;
  bool is_tagged_by_user(NodeId id) const;

  const JointGraph& joint_;
  const SavedValues& choice_;
  const PolicyOutcome& tagged_;
  // Where a cut decided: by node that the backward does not have the node from which it comes that must not be recomputed,
  // the first such along its inputs. Because of that one something on the path has to be saved.
  std::vector<NodeId> root_;
};

// The text of a reason without where a path begins, so that values share it.
std::string general_reason(const Why& why);

}  // namespace fxcut
