// The backward of a simulated step that drops recomputed values, and recomputes them again where they are used next.
//
// A drop frees one memory: all values in it are gone, and each is recomputed just before the next node that uses it, together
// with the operands that are gone as well. The memory is free from the last use before the drop on. Other recomputed values are
// gone after the last node that would use them without drops; saved values and those of the backward stay longer. Memory can be
// dropped only if a recomputed call makes it and all values in it are recomputed, draw no random numbers and are one tensor each.
// Nothing is recomputed again after a mutation, which may have changed its operands.
//
// A run takes the time of a few passes over the backward, so a search can try thousands of drops (recompute_again.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cost/analysis.h"
#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "memory/bytes_in_use.h"
#include "peak/step_simulation.h"
#include "solve/saved_values.h"

namespace fxcut {

// A drop takes effect just before the node of that step runs, after everything that is recomputed for it.
struct Drop {
  std::uint32_t step = 0;    // of the backward
  std::uint32_t memory = 0;  // its index in StepSimulation::memories()
};

// The memories recomputed between two of the backward's own nodes that can be dropped just before the second, in the order in
// which they were made.
struct JustRecomputed {
  struct Memory {
    std::uint32_t memory = 0;
    Int128 bytes = 0;
    std::uint32_t first = 0, last = 0;  // positions: where it was made, and of its last use so far
    bool is_needed_later = false;       // by a later step
  };
  std::vector<Memory> made;
  Int128 bytes_besides = 0;  // of all else in use at that node
};

// Returns the memories to drop just before that node.
using DropRule = std::function<std::vector<std::uint32_t>(const JustRecomputed& now)>;

class BackwardWithDrops {
 public:
  // Takes the simulation's last run, and copies what it needs, so the simulation may run again.
  BackwardWithDrops(const Analysis& analysis, const RecomputeProblem& problem, const StepSimulation& simulation,
                    const Evaluation& evaluation, std::size_t forward_steps);

  // `drops` are in the order of their steps. A drop of memory that is not there, or that the step's node uses, has no effect.
  void run(std::span<const Drop> drops);
  // The same with the drops that the rule makes wherever something was recomputed; returns these drops. A run that recomputes
  // more than `most` values in all is abandoned and returns nothing; the functions below then have no run to tell about.
  std::optional<std::vector<Drop>> run_by(const DropRule& rule, std::size_t most);

  // These are about the last run.
  Int128 peak_bytes() const { return peak_bytes_; }  // of the whole step
  bool is_peak_in_backward() const { return peak_bytes_ > forward_peak_; }
  std::uint32_t peak_step() const { return peak_step_; }
  Int128 run_cost() const { return run_cost_; }  // of what is recomputed again
  const std::vector<RecomputedAgain>& again() const { return again_; }
  // The most bytes in use while the step's node runs and values are recomputed for it.
  Int128 most_at(std::uint32_t step) const;
  // The droppable memories that are in use at the peak but not used by its node; those with the most bytes per cost of making
  // them again come first.
  std::vector<std::uint32_t> droppable_at_peak() const;
  // The least cost of making the memory again, per byte that dropping it frees.
  double least_price(std::uint32_t memory) const {
    return static_cast<double>(cost_of_[memory]) / static_cast<double>(memories_[memory].bytes);
  }
  std::size_t steps() const { return steps_.size(); }
  // The work of the last run, as frontier/work_budget.h counts it.
  std::size_t work() const { return 4 * node_at_.size(); }

 private:
  static constexpr std::uint32_t kNone = SimulatedMemory::kNowhere;
  using Local = std::uint32_t;  // position of a node among those of the backward and its inputs

  struct LocalNode {
    NodeId node;
    std::vector<Local> inputs;
    std::vector<std::uint32_t> fixed;  // memories that cannot be dropped
    std::uint32_t memory = kNone;      // that can
    bool makes_it = false;
    bool is_recomputed = false;
    Int128 run_cost = 0;
  };
  struct Instance {  // of memory that can be dropped
    std::uint32_t memory = 0;
    std::uint32_t first = 0, last = 0;  // positions
    std::uint32_t step = 0;             // at which it was made
  };

  Local local_of(NodeId node, const StepSimulation& simulation);
  bool is_view(const LocalNode& node) const;
  void find_droppable(const Analysis& analysis, const RecomputeProblem& problem, const StepSimulation& simulation,
                      const Evaluation& evaluation);
  void find_fixed_bytes();
  void begin_run();
  JustRecomputed just_recomputed(std::uint32_t step, std::size_t first_instance);
  void drop_needed(std::uint32_t memory, std::uint32_t step);
  bool is_there(Local node, std::uint32_t step) const;
  bool uses(Local node, std::uint32_t memory) const;
  void bring_back(Local wanted, std::uint32_t step);
  void run_again(Local node, std::uint32_t step);
  void execute(Local node, std::uint32_t step);
  void drop(std::uint32_t memory, std::uint32_t step);
  void add_up();

  std::vector<LocalNode> nodes_;
  std::vector<Local> local_;        // by node of the graph, or kNone
  std::vector<Local> steps_;
  std::uint32_t last_droppable_ = 0;  // step from which on nothing is dropped
  std::size_t forward_steps_;
  Int128 forward_peak_ = 0;
  std::vector<SimulatedMemory> memories_;
  std::vector<bool> is_droppable_;  // by memory
  std::vector<Int128> cost_of_;     // by memory: of making it
  std::vector<Int128> fixed_bytes_;  // by step: of the memories that cannot be dropped

  // State of the last run.
  std::vector<std::uint32_t> instance_of_;  // by node
  std::vector<std::uint32_t> current_;      // by memory, its instance or kNone
  std::vector<Instance> instances_;
  Int128 needed_bytes_ = 0;                 // of instances that later steps need, as far as a rule has seen them
  std::vector<Int128> needed_until_;        // the same by the last of these steps
  std::vector<std::uint32_t> used_until_;   // by other memory: position of the last use by what is recomputed again
  std::vector<std::uint32_t> begins_;       // by step, and of the end: position of what is recomputed for it
  std::vector<Local> node_at_;              // by position
  BytesInUse in_use_;                       // by position
  std::vector<RecomputedAgain> again_;
  Int128 run_cost_ = 0, peak_bytes_ = 0;
  std::uint32_t peak_step_ = 0, peak_at_ = 0;
};

}  // namespace fxcut
