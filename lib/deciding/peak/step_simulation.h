// The memory of a step under a choice of kept storages, without building its two graphs.
//
// A search for a peak needs this thousands of times, so it is a few passes over the joint graph's nodes: which run in the
// forward; which are recomputed; the order of the backward (finish/execution_order.h: each recomputed value just before its
// first use, items right after their tuple); when each piece of memory is allocated and freed
// (memory/lifetimes.h). The memory of each tensor is known in advance (tensor_memory.h); only recomputed values get new
// memory in the backward. The walk of memory/lifetimes.h is not used: it needs the graphs, and finds each tensor's memory anew.
//
// A value that crosses in fewer bits is computed in the forward with its form, and restored before its first user in the
// backward, in memory of its own; what the casts between take is not simulated.
//
// Of the later passes it simulates the states of random generators (finish/random_pairs.h) and the copies to the host that the
// solver chooses (copied_memory.h), but not barriers. For an exact peak, build the partition and use memory/memory_profile.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cost/analysis.h"
#include "cost/size.h"
#include "frontier/evaluate.h"
#include "frontier/recompute_problem.h"
#include "memory/bytes_in_use.h"
#include "peak/copied_memory.h"
#include "peak/step_nodes.h"
#include "peak/tensor_memory.h"

namespace fxcut {

// Positions among the calls that only the backward runs, in their order, whatever is recomputed between them: the first is
// 1; 0 is the beginning of the backward.
using BackwardPosition = std::uint32_t;

// Whether the finished graphs run as simulated: a whole step runs in another order than its two parts, and control_deps calls
// over values of both sides are split between them (extract/control_deps.h).
bool runs_as_simulated(const JointGraph& joint);

class StepSimulation {
 public:
  // The first two are kept by reference.
  StepSimulation(const Analysis& analysis, const RecomputeProblem& problem, const StorageBytes& storages);

  struct Result {
    Int128 peak_bytes = 0;
    std::size_t peak_step = 0;      // the first of several
    std::size_t forward_steps = 0;  // the backward's follow
    double waiting = 0;             // picoseconds for which the step waits for copies
  };
  // Simulates the last run of the evaluation, which is of the same problem. `copied`: of the saved storages, to the host and back
  // through the channel.
  Result run(const Evaluation& evaluation, const std::vector<StorageUse>& copied = {}, const CopyChannel* channel = nullptr);

  // By step of the last run: the bytes in use while its node runs, and that node. Each side ends in its output.
  const std::vector<Int128>& bytes() const { return in_use_.bytes(); }
  const std::vector<NodeId>& steps() const { return steps_; }

  // The states of random generators that are kept for recomputed values.
  Int128 state_bytes() const { return state_bytes_; }

  const std::vector<SimulatedMemory>& memories() const { return memories_; }
  // The index in memories() of a tensor that the backward has, or kNowhere; for other tensors, anything.
  std::uint32_t backward_memory_of(TensorIndex tensor) const { return backward_memory_of_[tensor]; }

  struct InUse {
    NodeId node;  // that made it
    std::int64_t bytes = 0;
    bool made_in_backward = false;
    bool is_form = false;
  };
  // In the last run.
  std::vector<InUse> in_use_at(std::size_t step) const;

  // By position but for 0.
  const std::vector<NodeId>& backward_nodes() const { return backward_nodes_; }
  // The memory that these allocate, and that of the backward's inputs; the last position is the output.
  struct BackwardMemory {
    std::int64_t bytes = 0;
    BackwardPosition first = 0, last = 0;
  };
  const std::vector<BackwardMemory>& backward_memory() const { return backward_memory_; }

  const TensorMemory& tensors() const { return tensors_; }
  bool is_forward_output(NodeId node) const { return nodes_[index_of(node)].returned_by_forward; }
  std::span<const std::uint32_t> inputs_of(NodeId node) const { return nodes_.inputs_of(index_of(node)); }
  // Whether the state of the CPU's generator is kept for a node that is recomputed.
  bool draws_cpu_numbers(NodeId node) const { return nodes_[index_of(node)].draws_cpu_numbers; }
  // The item of a node, or kNoItem; for memory in use, the item of its node or of the node's form.
  ItemIndex item_of(NodeId node) const { return item_of_[index_of(node)]; }
  ItemIndex item_of(const InUse& use) const { return use.is_form ? form_of_[index_of(use.node)] : item_of(use.node); }
  ItemIndex item_of(const SimulatedMemory& memory) const {
    return memory.is_form ? form_of_[index_of(memory.node)] : item_of(memory.node);
  }
  // The item of the form of an item's value, or kNoItem.
  ItemIndex form_of(ItemIndex item) const { return form_of_[index_of(problem_.items[item].node)]; }
  // The work of a run, as frontier/work_budget.h counts it.
  std::size_t steps_a_run() const { return item_of_.size() * 4; }

 private:
  static constexpr std::uint32_t kNowhere = SimulatedMemory::kNowhere, kToTheEnd = 0xffffffff;
  using Memory = SimulatedMemory;
  using MemoryOf = std::vector<std::uint32_t>;  // by tensor: its index in memories_, or kNowhere

  void find_backward_memory();

  void find_calls(const Evaluation& evaluation);
  void run_forward();
  void run_backward();
  void find_users_of_restored();
  void order_backward();
  void insert(std::size_t node);
  void insert_open();
  bool runs_in_backward(std::size_t node) const {
    return nodes_[node].only_in_backward || recomputed_[node] != 0 || compressed_[node] != 0;
  }
  bool is_raised(std::size_t node) const;
  void put(std::size_t node, MemoryOf& memory, bool in_backward, const auto& runs);
  void allocate(std::size_t node, MemoryOf& memory, bool in_backward);
  void make_form(std::size_t node);
  void restore(std::size_t node);
  void keep_state(std::size_t node, bool in_backward);
  void free_after_last_use(const MemoryOf& memory);
  void take_back(std::size_t node);
  void take_form_back(std::size_t node);
  double run_copies(std::size_t forward_steps, const CopyChannel& channel);
  Result add_up(std::size_t forward_steps);

  const Analysis& a_;
  const RecomputeProblem& problem_;
  TensorMemory tensors_;
  StepNodes nodes_;
  std::vector<ItemIndex> item_of_, form_of_;  // by node
  std::vector<NodeId> backward_nodes_;
  std::vector<BackwardMemory> backward_memory_;

  // State of the last run.
  // By node, whether; a byte each, which is faster than a bit. Compressed: carried in fewer bits.
  std::vector<char> runs_forward_, recomputed_, carried_, compressed_;
  std::vector<std::size_t> order_;                         // of the backward, before getitems are raised
  std::vector<std::size_t> side_nodes_;                    // nodes of the side that runs, in their order
  std::vector<std::uint32_t> last_use_;                    // by node of the side that runs
  MemoryOf forward_memory_of_, backward_memory_of_;
  MemoryOf state_of_, form_memory_of_;  // by node
  std::vector<std::uint32_t> restored_before_;  // by node; empty if the problem has no forms
  std::vector<Memory> memories_;
  std::vector<NodeId> steps_;
  BytesInUse in_use_;
  Int128 state_bytes_ = 0;
  std::vector<StorageCopy> copies_;
  std::vector<std::uint32_t> copy_of_;  // by node: its index in copies_, or kNowhere

  // Used by insert_open.
  std::vector<char> is_inserted_;  // by node, whether
  std::vector<std::size_t> open_;
};

}  // namespace fxcut
