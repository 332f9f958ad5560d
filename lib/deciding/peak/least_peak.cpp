#include "peak/least_peak.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

namespace fxcut {
namespace {

// The forward if as little as possible is kept: the bytes in use by step, to which keeping more only adds, except for the
// states of random generators; by storage, the steps in which its memory is made and used last; and the outputs that are in no
// storage.
struct LeastForward {
  LeastForward(const PeakProblem& whole, StepSimulation& simulation) {
    KeptStorages certain;
    for (const Fixing fixing : whole.fixings) certain.push_back(fixing == Fixing::Kept);
    Evaluation evaluation(whole.problem);
    evaluation.run(certain);
    steps = static_cast<std::uint32_t>(simulation.run(evaluation).forward_steps);
    for (std::uint32_t step = 0; step < steps; ++step) bytes.push_back(simulation.bytes()[step] - simulation.state_bytes());
    made.assign(whole.fixings.size(), steps);
    last_use.assign(whole.fixings.size(), 0);
    for (const SimulatedMemory& memory : simulation.memories()) {
      const ItemIndex item = simulation.item_of(memory);
      if (memory.in_backward || item == kNoItem || !whole.problem.items[item].has_storage()) continue;
      const StorageIndex s = whole.problem.items[item].storage;
      made[s] = std::min(made[s], memory.first_step);
      last_use[s] = std::max(last_use[s], std::min(memory.last_step, steps - 1));
    }
    for (std::size_t s = 0; s < made.size(); ++s) {
      if (made[s] == steps) last_use[s] = steps - 1;  // made only if it is kept
    }
    find_outputs(whole.problem, simulation);
  }

  // Outputs are in use until the backward ends.
  void find_outputs(const RecomputeProblem& problem, const StepSimulation& simulation) {
    const TensorMemory& tensors = simulation.tensors();
    std::unordered_set<NodeId> of_items;
    for (const Item& item : problem.items) {
      for (TensorIndex t = tensors.begin(index_of(item.node)); t < tensors.end(index_of(item.node)); ++t) {
        of_items.insert(tensors.node(tensors.root(t)));
      }
    }
    for (const SimulatedMemory& memory : simulation.memories()) {
      const bool is_output = !memory.in_backward && memory.last_step >= simulation.steps().size();
      if (is_output && !of_items.contains(memory.node)) output_bytes += memory.bytes;
    }
  }

  std::uint32_t steps = 0;
  Int128 output_bytes = 0;
  std::vector<Int128> bytes;
  std::vector<std::uint32_t> made, last_use;
};

// Moments are the steps of the forward, then the positions of the backward. Both ends are included.
struct Moments {
  std::uint32_t first = 0, last = 0;
};

// The memory in use for certain after decisions on some storages.
class CertainMemory {
 public:
  CertainMemory(const PeakProblem& whole, StepSimulation& simulation)
      : problem_(whole.problem), unavoidable_(whole.unavoidable), forward_(whole, simulation),
        output_(static_cast<BackwardPosition>(whole.unavoidable.positions() - 1)),
        uses_(find_uses(whole.problem, whole.analysis, simulation, 0)), fixings_(whole.fixings),
        first_use_(fixings_.size(), kNever), only_adds_if_kept_(fixings_.size(), false), kept_(fixings_.size()),
        needed_(uses_.size()), start_(fixings_.size()), is_used_(fixings_.size()) {
    for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
      const Item& item = problem_.items[i];
      if (!item.has_storage()) continue;
      first_use_[item.storage] = std::min(first_use_[item.storage], uses_[i].first);
      if (item.is_form() || simulation.is_forward_output(item.node)) only_adds_if_kept_[item.storage] = true;
    }
    base_ = forward_.bytes;
    for (const Int128 bytes : unavoidable_.bytes) base_.push_back(bytes + forward_.output_bytes);
    for (StorageIndex s = 1; s < fixings_.size(); ++s) {
      const bool may_add = !only_adds_if_kept_[s] && fixings_[s] != Fixing::Kept;
      const bool adds_in_forward = may_add && forward_.last_use[s] + 1 < forward_.steps;
      if (adds_in_forward) kept_[s].push_back({forward_.last_use[s] + 1, forward_.steps - 1});
      for (const Span& span : unavoidable_.kept[s]) kept_[s].push_back({moment_of(span.first), moment_of(span.last)});
    }
  }

  void decide(StorageIndex s, Fixing fixing) { fixings_[s] = fixing; }

  // The most bytes at these moments under the current decisions.
  Int128 most_at(const Moments& moments) {
    find_needs();
    change_.assign(base_.size() + 1, 0);
    for (StorageIndex s = 1; s < fixings_.size(); ++s) {
      if (fixings_[s] == Fixing::Kept && is_used_[s] != 0) {
        for (const Moments& kept : kept_[s]) add(unavoidable_.memory[s], kept);
      } else if (start_[s] < first_use_[s] && !only_adds_if_kept_[s]) {
        add(unavoidable_.memory[s], {moment_of(start_[s]), moment_of(first_use_[s] - 1)});
      }
    }
    Int128 most = 0, now = 0;
    for (std::uint32_t p = 0; p <= moments.last; ++p) {
      now += change_[p];
      if (p >= moments.first) most = std::max(most, now + base_[p]);
    }
    return most;
  }

  // After the last call: whether one of the storage's values is needed for certain.
  bool is_used(StorageIndex s) const { return is_used_[s] != 0; }
  // After the last call: whether the storage's only memory in use at each of these moments is what it adds if it is kept.
  bool only_adds_at(StorageIndex s, const Moments& moments) const {
    const std::vector<Span>& kept = unavoidable_.kept[s];
    const bool is_kept = !kept.empty() && kept.front().first == 0 && moment_of(kept.front().last) >= moments.last;
    const bool is_there_before = forward_.last_use[s] >= moments.first && moments.first < forward_.steps;
    return is_kept && !is_there_before && (start_[s] == kNever || moment_of(start_[s]) > moments.last);
  }

  // From where the storage is made to its last use by the backward's own nodes.
  Moments moments_of(StorageIndex s) const {
    BackwardPosition last = 0;
    for (ItemIndex i = 0; i < uses_.size(); ++i) {
      if (problem_.items[i].storage == s) last = std::max(last, uses_[i].last);
    }
    return {forward_.made[s], moment_of(last)};
  }
  Moments all() const { return {0, moment_of(output_)}; }
  // At the end of the forward.
  Moments between() const { return {forward_.steps, forward_.steps}; }
  std::int64_t bytes(StorageIndex s) const { return unavoidable_.memory[s]; }
  std::int64_t steps_a_run() const {
    return static_cast<std::int64_t>(problem_.items.size() + problem_.inputs.size() + fixings_.size() + base_.size());
  }

 private:
  std::uint32_t moment_of(BackwardPosition position) const { return forward_.steps + position; }

  void add(Int128 bytes, const Moments& moments) {
    change_[moments.first] += bytes;
    change_[moments.last + 1] -= bytes;
  }

  bool may_be_available(const Item& item) const {
    return item.savable && (item.storage == kFreeStorage || fixings_[item.storage] != Fixing::Dropped);
  }

  // By item, the latest position at which it has to be in memory.
  void find_needs() {
    for (ItemIndex i = 0; i < needed_.size(); ++i) {
      needed_[i] = problem_.items[i].demanded ? std::min(uses_[i].first, output_) : kNever;
    }
    std::ranges::fill(start_, kNever);
    std::ranges::fill(is_used_, 0);
    for (ItemIndex i = static_cast<ItemIndex>(needed_.size()); i-- > 0;) {
      if (needed_[i] == kNever) continue;
      const Item& item = problem_.items[i];
      if (item.has_storage()) {
        if (item.savable) is_used_[item.storage] = 1;
        if (uses_[i].first != kNever) start_[item.storage] = std::min(start_[item.storage], needed_[i]);
      }
      if (may_be_available(item)) continue;
      for (const ItemIndex input : problem_.inputs_of(i)) needed_[input] = std::min(needed_[input], needed_[i]);
    }
  }

  const RecomputeProblem& problem_;
  const Unavoidable& unavoidable_;
  LeastForward forward_;
  BackwardPosition output_;
  std::vector<Span> uses_;                    // by item
  Fixings fixings_;                           // by storage
  std::vector<BackwardPosition> first_use_;   // by storage, by the backward's own nodes
  std::vector<bool> only_adds_if_kept_;       // by storage: it is an output of the forward, or of a form
  std::vector<Int128> base_;                  // by moment, whatever is decided
  std::vector<std::vector<Moments>> kept_;    // by storage, where it adds its memory if it is kept
  // Found by the last call of most_at().
  std::vector<BackwardPosition> needed_;      // by item
  std::vector<BackwardPosition> start_;       // by storage, where a value that is used itself is needed first
  std::vector<char> is_used_;                 // by storage
  std::vector<Int128> change_;                // from moment to moment
};

class DollSearch {
 public:
  DollSearch(const PeakProblem& whole, StepSimulation& simulation, Int128 reached, std::int64_t most_steps)
      : memory_(whole, simulation), reached_(reached), most_steps_(most_steps) {
    first_ = whole.fixings.size();
    std::vector<bool> is_seen(whole.fixings.size(), false);
    for (const Item& item : whole.problem.items) {
      if (!item.has_storage() || is_seen[item.storage] || whole.fixings[item.storage] != Fixing::Open) continue;
      is_seen[item.storage] = true;
      order_.push_back(item.storage);
    }
    find_parts();
  }

  // The least peak of the largest part for which the steps suffice.
  Int128 run() {
    Int128 least = 0;
    best_.assign(order_.size(), Fixing::Kept);
    for (std::size_t first = order_.size(); first-- > 0;) {
      least_of_[first] = least_from(first);
      if (steps_ >= most_steps_) return least;
      least = least_of_[first];
      if (least >= reached_) return reached_;
    }
    return least;
  }

  // The choice for all storages, if its peak is lower than the one reached.
  KeptStorages lowest_choice(const Fixings& fixings) const {
    if (first_ > 0 || steps_ >= most_steps_ || lowest_ >= reached_) return {};
    KeptStorages kept;
    for (const Fixing fixing : fixings) kept.push_back(fixing == Fixing::Kept);
    for (std::size_t i = 0; i < order_.size(); ++i) kept[order_[i]] = best_[i] == Fixing::Kept;
    return kept;
  }

  std::int64_t steps() const { return steps_; }

 private:
  // By storage: the moments from which it and those after it are made to their last uses; and which storages before it, if they
  // are kept, add their memory to everything that these have in use there.
  void find_parts() {
    const std::size_t count = order_.size();
    moments_.assign(count + 1, memory_.between());
    least_of_.assign(count + 1, 0);
    adds_.resize(count + 1);
    for (std::size_t first = count; first-- > 0;) {
      const Moments own = memory_.moments_of(order_[first]), &rest = moments_[first + 1];
      moments_[first] = first == 0 ? memory_.all() : Moments{std::min(own.first, rest.first), std::max(own.last, rest.last)};
      memory_.decide(order_[first], Fixing::Dropped);
      measure(moments_[first]);
      for (std::size_t before = 0; before < first; ++before) {
        adds_[first].push_back(memory_.only_adds_at(order_[before], moments_[first]));
      }
    }
    for (const StorageIndex s : order_) memory_.decide(s, Fixing::Open);
  }

  Int128 measure(const Moments& moments) {
    steps_ += memory_.steps_a_run();
    return memory_.most_at(moments);
  }

  // The least peak for the storages from that one on; those before are open.
  Int128 least_from(std::size_t first) {
    first_ = first;
    now_ = best_;
    lowest_ = reached_;
    for (const Fixing fixing : {Fixing::Kept, Fixing::Dropped}) {
      now_[first] = fixing;
      offer_all_decided();
    }
    decide_from(first);
    return lowest_;
  }

  // Offers the best decisions for fewer storages, now with `first_` in front of them.
  void offer_all_decided() {
    for (std::size_t i = first_; i < order_.size(); ++i) memory_.decide(order_[i], now_[i]);
    offer(measure(moments_[first_]));
    for (std::size_t i = first_; i < order_.size(); ++i) memory_.decide(order_[i], Fixing::Open);
  }

  void offer(Int128 bytes) {
    if (bytes >= lowest_) return;
    lowest_ = bytes;
    best_ = now_;
  }

  bool is_over() const { return steps_ >= most_steps_ || lowest_ <= least_of_[first_ + 1]; }

  void decide_from(std::size_t next) {
    const Fixing likely = best_[next];
    for (const Fixing fixing : {likely, likely == Fixing::Kept ? Fixing::Dropped : Fixing::Kept}) {
      if (is_over()) return;
      now_[next] = fixing;
      memory_.decide(order_[next], fixing);
      const Int128 bytes = measure(moments_[first_]);
      if (bytes < lowest_ && least_with_rest(next + 1) < lowest_) {
        if (next + 1 == order_.size()) offer(bytes);
        else decide_from(next + 1);
      }
      memory_.decide(order_[next], Fixing::Open);
    }
  }

  // The memory of the kept storages before `rest`, plus the least of those from `rest` on. After the last measure().
  Int128 least_with_rest(std::size_t rest) const {
    Int128 bytes = least_of_[rest];
    if (rest == order_.size()) return bytes;
    for (std::size_t i = first_; i < rest; ++i) {
      if (now_[i] == Fixing::Kept && adds_[rest][i] && memory_.is_used(order_[i])) bytes += memory_.bytes(order_[i]);
    }
    return bytes;
  }

  CertainMemory memory_;
  Int128 reached_;
  std::int64_t most_steps_, steps_ = 0;
  std::vector<StorageIndex> order_;          // the open ones, as the forward makes them
  std::vector<Moments> moments_;             // by position in the order
  std::vector<Int128> least_of_;             // of the storages from there on
  std::vector<std::vector<bool>> adds_;      // by the same, and by those before
  std::size_t first_ = 0;
  std::vector<Fixing> now_, best_;           // decisions, by position in the order
  Int128 lowest_ = 0;                        // with the best of them
};

}  // namespace

LeastPeak find_least_peak(const PeakProblem& whole, StepSimulation& simulation, Int128 reached_bytes, std::int64_t most_steps) {
  const LeastForward forward(whole, simulation);
  Int128 floor = least_backward_peak(whole.unavoidable, whole.fixings) + forward.output_bytes;
  for (const Int128 bytes : forward.bytes) floor = std::max(floor, bytes);
  if (floor >= reached_bytes) return {reached_bytes, {}, 0};
  if (most_steps <= 0) return {floor, {}, 0};
  DollSearch search(whole, simulation, reached_bytes, most_steps);
  const Int128 least = search.run();
  return {std::max(floor, least), search.lowest_choice(whole.fixings), search.steps()};
}

}  // namespace fxcut
