// The decision as a path through states: dynamic programming.
//
// Items are decided on in an order in which each comes after its users (decision_order.h). All that past decisions mean for
// the rest is which items are needed, which the forward runs, and which storages with further values are kept or dropped.
// That is a state: whatever led to it, the future is the same. A model is a chain of layers with few values between them, so
// the states at any time are few, and all of them grow with the number of layers, where the choices double with each storage.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "frontier/fixings.h"
#include "frontier/recompute_problem.h"
#include "frontier/work_budget.h"

namespace fxcut {

using StateIndex = std::uint32_t;

// A way to go on from a state.
struct Transition {
  StateIndex to = 0;
  StorageIndex keeps = kNoStorage;  // the storage that is kept from here on, if any
  Int128 run_cost = 0;              // of what is recomputed until the next state, and of keeping that storage
};

// State 0 is the first, the last one is the end, and transitions lead to later ones. A path to the end is a feasible choice; a
// state before the end without transitions cannot be part of one.
struct DecisionStates {
  std::vector<std::uint32_t> begin;  // by state, into the following
  std::vector<Transition> transitions;
  Int128 run_cost = 0;  // of what every choice recomputes first

  StateIndex size() const { return static_cast<StateIndex>(begin.size() - 1); }
  std::span<const Transition> from(StateIndex s) const {
    return {transitions.data() + begin[s], transitions.data() + begin[s + 1]};
  }
};

// The states of the choices within the fixings; ways that cost more than others with the same future may be missing. nullopt
// if that takes more than `most_work` steps of work, or the work is spent.
std::optional<DecisionStates> decision_states(const RecomputeProblem& problem, const Fixings& fixings, std::int64_t most_work,
                                              WorkBudget& work);

// The same paths from their end: state s is the one that many before the last, and what every choice recomputes comes first.
DecisionStates reversed(const DecisionStates& states);

}  // namespace fxcut
