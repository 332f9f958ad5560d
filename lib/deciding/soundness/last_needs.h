// How late a backward may recompute a value, and which of the backward's writes have reached memory by then.
//
// The backward runs its nodes in the order of the joint graph, from the first that uses a gradient on, and recomputes a value
// just before its first use (finish/execution_order.h). A write that comes later in the backward, such as an optimizer's at the
// end of a whole step, does not change what is recomputed before it.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "graph/graph.h"
#include "soundness/memory_run.h"

namespace fxcut {

class LastNeeds {
 public:
  // Both are kept by reference; `histories` are those of the joint graph's whole run. Linear in the graph.
  LastNeeds(const JointGraph& joint, const Histories& histories);

  // These histories, which their memory has at the end of the run, as they are when the call is recomputed at its latest. Empty
  // ones are left out.
  std::vector<Found> before_last_need(std::size_t call, std::vector<Found> at_end);

 private:
  bool runs_in_order(std::size_t node) const { return is_backward_[node] && node >= first_; }
  void find_backward();
  void find_needs();
  // The prefixes of a history without its last writes, as far as the backward runs these in order, shortest first; then the
  // history.
  const std::vector<History>& shortened(History history);

  const JointGraph& joint_;
  const Histories& histories_;
  std::vector<bool> is_backward_;  // by node: only the backward computes it
  std::size_t first_ = 0;          // the backward's first node that uses a gradient
  std::vector<std::size_t> need_;  // by node: the backward's node before which it is recomputed at the latest
  std::unordered_map<History, std::vector<History>> shortened_;
};

}  // namespace fxcut
