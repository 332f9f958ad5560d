// Moments of a step that every decision has, in whatever order inductor runs kernels, and what its code has in memory then.
//
// Between the forward and the backward all saved values are in memory, the outputs of the forward, and the gradients that the
// backward is given. While the backward calls a library, the call's operands and results are in memory; and of all values that
// the call and its dependents need, enough to recompute the others. As after a position of the backward (rest_of_backward.h),
// "kept" means "in memory then", whether saved or recomputed, and costs nothing.
//
// Each moment is a problem of its own, in which storages have their least sizes (certain_buffers.h). If a decision's code has a
// peak of P bytes, it is at each moment a choice of at most P bytes, less those that are in memory in any case, and that choice
// costs no more than the decision.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/analysis.h"
#include "frontier/recompute_problem.h"
#include "peak/certain_buffers.h"
#include "peak/step_simulation.h"

namespace fxcut {

struct CertainMoment {
  RecomputeProblem problem;      // the same items and storages
  std::int64_t other_bytes = 0;  // in memory whatever is decided
};

class CompiledMoments {
 public:
  // All are kept by reference.
  CompiledMoments(const Analysis& analysis, const RecomputeProblem& problem, const StepSimulation& simulation);

  CertainMoment between() const;
  // The calls of libraries that every backward makes, in the order of the graph.
  const std::vector<NodeId>& calls() const { return calls_; }
  CertainMoment at(NodeId call) const;

 private:
  void find_calls();
  std::vector<bool> after(NodeId call) const;
  std::vector<bool> needed_by(const std::vector<bool>& nodes) const;

  const Analysis& a_;
  const RecomputeProblem& problem_;
  const StepSimulation& simulation_;
  CertainBuffers buffers_;
  std::vector<bool> is_live_;               // by node, whether the backward needs it
  std::vector<bool> is_of_item_;            // by memory of a node (CertainBuffers::memory_of)
  std::vector<bool> is_result_;             // by item: a result of the backward
  std::vector<bool> is_in_memory_unsaved_;  // by item, whether it may be in memory then without the bytes of its storage
  std::vector<NodeId> outputs_, tangents_, calls_;  // outputs of the forward; of both only those that are in memory
};

}  // namespace fxcut
