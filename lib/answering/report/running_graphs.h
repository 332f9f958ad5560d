// The graphs that a memory profile describes: a forward and a backward, or a whole step.
#pragma once

#include <string_view>

#include "extract/plan_extraction.h"
#include "graph/graph.h"

namespace fxcut {

// "forward", "backward" or "optimizer".
std::string_view name_of(StepPhase phase);

class RunningGraphs {
 public:
  // Both constructors keep references.
  explicit RunningGraphs(const GraphPair& graphs) : first_(graphs.forward), second_(graphs.backward) {}
  explicit RunningGraphs(const Graph& step) : first_(step), second_(step), is_step_(true) {}

  const Node& node(Side side, NodeId id) const { return (side == Side::Forward ? first_ : second_)[id]; }
  StepPhase phase(Side side, NodeId id) const {
    if (is_step_) return first_[id].meta.phase;
    return side == Side::Forward ? StepPhase::Forward : StepPhase::Backward;
  }
  bool is_step() const { return is_step_; }
  // The graph that runs first, and the other; a step is one graph.
  const Graph& first() const { return first_; }
  const Graph& second() const { return second_; }

 private:
  const Graph& first_;
  const Graph& second_;
  bool is_step_ = false;
};

}  // namespace fxcut
