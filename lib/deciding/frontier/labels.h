// Paths through the states of a decision (decision_states.h), as labels: bytes and run cost. At a state a label is left out if
// another one has no more of either (Joksch, "The shortest route problem with constraints", J. Math. Anal. Appl. 1966;
// Aneja, Aggarwal and Nair, "Shortest chain subject to side constraints", Networks 1983), or if it cannot end within limits.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "frontier/decision_states.h"
#include "frontier/evaluate.h"

namespace fxcut {

struct Label {
  std::int64_t bytes = 0;
  Int128 run_cost = 0;
  std::uint32_t kept = 0;  // what the path keeps, for LabelSearch
};

// Without those that another is as good as, in the order of bytes.
std::vector<Label> best_of(std::vector<Label> labels);

class LabelSearch {
 public:
  // Whether a path that comes to a state with this label may end within the limits.
  using MayEnd = std::function<bool(StateIndex, const Label&)>;

  // The problem and the states are kept by reference.
  LabelSearch(const RecomputeProblem& problem, const DecisionStates& states, MayEnd may_end)
      : problem_(problem), states_(states), may_end_(std::move(may_end)) {}

  // Keeps the labels of all states, and not only of the end.
  void keep_all() { keeps_all_ = true; }
  // Returns false, ended early, if that takes more than this many steps of work, which are subtracted, or if the work is spent.
  bool run(std::int64_t& steps_left, WorkBudget& work);

  // The storages of the cheapest path to the end, if there is any.
  std::optional<KeptStorages> best() const;
  std::vector<std::vector<Label>> take_labels() { return std::move(labels_); }

 private:
  struct Keep {
    std::uint32_t before = 0;  // its position; 0 before the first
    StorageIndex storage = kNoStorage;
  };
  void extend(const Label& label, const Transition& transition);

  const RecomputeProblem& problem_;
  const DecisionStates& states_;
  MayEnd may_end_;
  bool keeps_all_ = false;
  std::vector<std::vector<Label>> labels_;  // by state
  std::vector<Keep> kept_;
};

// Bounds from labels of the reversed states, whose bytes are not above the true ones.
class LabelBounds {
 public:
  LabelBounds(const DecisionStates& states, const std::vector<std::vector<Label>>& backwards, std::int64_t limit_bytes)
      : states_(states), backwards_(backwards), limit_bytes_(limit_bytes) {}

  bool may_end(StateIndex state, const Label& label, Int128 at_most) const;
  // No path costs less.
  Int128 least() const;

 private:
  const DecisionStates& states_;
  const std::vector<std::vector<Label>>& backwards_;
  std::int64_t limit_bytes_;
};

}  // namespace fxcut
