#include "peak/room.h"

#include <algorithm>

namespace fxcut {
namespace {

// By step of the backward: the most bytes in use up to the last of the backward's own nodes before it, or up to the earlier use
// of memory that is used again in between, since it might be free from there on.
class BeforeRecomputing {
 public:
  BeforeRecomputing(const StepSimulation& simulation, const StepSimulation::Result& result)
      : simulation_(simulation), first_(result.forward_steps), last_use_(simulation.memories().size(), 0) {
    most_.push_back(simulation.bytes()[first_ - 1]);
  }

  std::vector<Int128> find() {
    const std::vector<NodeId>& own = simulation_.backward_nodes();
    std::size_t next_own = 0;
    // The first step that runs for the next own node, and the step before which nothing changes.
    std::size_t begin = first_, unchanged = first_;
    std::vector<Int128> found;
    for (std::size_t step = first_; step < simulation_.steps().size(); ++step) {
      const NodeId node = simulation_.steps()[step];
      const bool is_own = next_own < own.size() && node == own[next_own];
      for (const std::uint32_t input : simulation_.inputs_of(node)) use(input, step, is_own ? first_ : begin, unchanged);
      use(index_of(node), step, first_, unchanged);
      most_.push_back(std::max(most_.back(), simulation_.bytes()[step]));
      if (!is_own) continue;
      ++next_own;
      found.resize(step + 1 - first_, most_[unchanged - first_]);
      begin = unchanged = step + 1;
    }
    found.resize(simulation_.steps().size() - first_, most_[unchanged - first_]);
    return found;
  }

 private:
  // Notes the use of a node's memory, and lowers `unchanged` if the last one was before `begin`.
  void use(std::size_t node, std::size_t step, std::size_t begin, std::size_t& unchanged) {
    const TensorMemory& tensors = simulation_.tensors();
    for (TensorIndex t = tensors.begin(node); t < tensors.end(node); ++t) {
      const std::uint32_t memory = simulation_.backward_memory_of(t);
      const NodeId maker = tensors.node(tensors.root(t));
      const bool is_of_this_run = memory < last_use_.size() && simulation_.memories()[memory].node == maker;
      if (!is_of_this_run) continue;
      const std::size_t last = last_use_[memory];
      if (last >= first_ && last < begin) unchanged = std::min(unchanged, last + 1);
      last_use_[memory] = step;
    }
  }

  const StepSimulation& simulation_;
  std::size_t first_;                   // step of the backward
  std::vector<std::size_t> last_use_;   // by memory, in the backward so far; 0: none
  std::vector<Int128> most_;            // before each step of the backward
};

// By step of the forward, the most bytes in use from it on.
std::vector<Int128> most_after(const StepSimulation& simulation, const StepSimulation::Result& result) {
  std::vector<Int128> after(result.forward_steps, 0);
  for (std::size_t step = after.size(); step-- > 0;) {
    after[step] = std::max(simulation.bytes()[step], step + 1 < after.size() ? after[step + 1] : Int128{0});
  }
  return after;
}

}  // namespace

Room::Room(const RecomputeProblem& problem, const Evaluation& evaluation, const StepSimulation& simulation,
           const StepSimulation::Result& result)
    : recomputed_(problem.storages.size()), state_bytes_(simulation.state_bytes()) {
  const std::vector<Int128> before = BeforeRecomputing(simulation, result).find(), after = most_after(simulation, result);
  std::vector<char> is_held(recomputed_.size(), 0);  // as an output of the forward, or is saved already
  for (const SimulatedMemory& memory : simulation.memories()) {
    const ItemIndex item = simulation.item_of(memory);
    if (memory.bytes == 0 || item == kNoItem) continue;
    if (!problem.items[item].has_storage()) continue;
    const StorageIndex s = problem.items[item].storage;
    Recomputed& found = recomputed_[s];
    if (memory.last_step >= result.forward_steps - 1 && !memory.in_backward) is_held[s] = 1;
    if (is_held[s] != 0 || !evaluation.is_recomputed(item)) continue;
    const Int128 beside = memory.in_backward ? before[memory.first_step - result.forward_steps] : after[memory.last_step + 1];
    Int128& least = memory.in_backward ? found.in_backward : found.in_forward;
    least = least == 0 ? beside : std::min(least, beside);
    found.bytes = found.bytes == 0 ? Int128{memory.bytes} : std::min(found.bytes, Int128{memory.bytes});
  }
  for (std::size_t s = 0; s < recomputed_.size(); ++s) {
    if (is_held[s] != 0) recomputed_[s] = {};
  }
}

bool Room::is_exceeded(StorageIndex s, std::int64_t added_bytes, Int128 peak_bytes) const {
  const Recomputed& found = recomputed_[s];
  const Int128 beside = std::max(found.in_forward, found.in_backward);
  return found.bytes > 0 && added_bytes >= found.bytes && beside + found.bytes - state_bytes_ > peak_bytes;
}

}  // namespace fxcut
