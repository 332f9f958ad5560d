#include "peak/unavoidable.h"

#include <algorithm>
#include <utility>

namespace fxcut {
namespace {

constexpr BackwardPosition kNever = 0xffffffff;
constexpr Span kUnused{kNever, 0};

// By item, its uses by the backward's own nodes.
std::vector<Span> find_uses(const RecomputeProblem& problem, const Analysis& analysis, const StepSimulation& simulation) {
  std::vector<Span> uses(problem.items.size(), kUnused);
  const auto& nodes = simulation.backward_nodes();
  for (std::size_t p = 0; p < nodes.size(); ++p) {
    for (const NodeId input : analysis.node(nodes[p]).inputs) {
      const ItemIndex item = simulation.item_of(input);
      if (item == kNoItem) continue;
      const auto position = static_cast<BackwardPosition>(p + 1);
      uses[item] = {std::min(uses[item].first, position), std::max(uses[item].last, position)};
    }
  }
  return uses;
}

// By item, the first position at which the backward may need it.
std::vector<BackwardPosition> find_first_needs(const RecomputeProblem& problem, const std::vector<Span>& uses) {
  std::vector<BackwardPosition> need;
  for (const Span& of_item : uses) need.push_back(of_item.first);
  for (ItemIndex i = static_cast<ItemIndex>(problem.items.size()); i-- > 0;) {
    if (problem.items[i].never != Ban::None) continue;
    for (const ItemIndex input : problem.inputs_of(i)) need[input] = std::min(need[input], need[i]);
  }
  return need;
}

// Spans in order that do not overlap and cover the same positions.
std::vector<Span> joined(std::vector<Span> spans) {
  std::ranges::sort(spans, {}, &Span::first);
  std::vector<Span> found;
  for (const Span& span : spans) {
    if (found.empty() || span.first > found.back().last + 1) found.push_back(span);
    else found.back().last = std::max(found.back().last, span.last);
  }
  return found;
}

// The positions before `end` outside the spans.
std::vector<Span> rest_before(BackwardPosition end, const std::vector<Span>& spans) {
  std::vector<Span> rest;
  BackwardPosition next = 0;
  for (const Span& span : spans) {
    if (next >= end) break;
    if (span.first > next) rest.push_back({next, std::min(span.first, end) - 1});
    next = span.last + 1;
  }
  if (next < end) rest.push_back({next, end - 1});
  return rest;
}

class Positions {
 public:
  explicit Positions(std::size_t count) : change_(count + 1) {}
  void add(Wide bytes, const Span& span) {
    change_[span.first] += bytes;
    change_[span.last + 1] -= bytes;
  }
  std::vector<Wide> sums() const {
    std::vector<Wide> sums;
    Wide now = 0;
    for (std::size_t p = 0; p + 1 < change_.size(); ++p) sums.push_back(now += change_[p]);
    return sums;
  }

 private:
  std::vector<Wide> change_;
};

}  // namespace

Unavoidable find_unavoidable(const RecomputeProblem& problem, const Analysis& analysis, const StepSimulation& simulation) {
  const std::size_t count = simulation.backward_nodes().size() + 2;
  const auto output = static_cast<BackwardPosition>(count - 1);
  const std::vector<Span> uses = find_uses(problem, analysis, simulation);
  const std::vector<BackwardPosition> need = find_first_needs(problem, uses);
  const std::size_t storages = problem.storages.size();
  Unavoidable found;
  found.memory.resize(storages);
  found.kept.resize(storages);
  std::vector<std::vector<Span>> in_use(storages);            // in use whatever is decided
  std::vector<BackwardPosition> until(storages, kNever);     // in use until then if kept
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    const Item& item = problem.items[i];
    if (item.storage == kNoStorage || item.storage == kFreeStorage) continue;
    found.memory[item.storage] = std::max(found.memory[item.storage], simulation.places().bytes_of(item.node));
    until[item.storage] = std::min(until[item.storage], need[i]);
    if (simulation.is_forward_output(item.node)) in_use[item.storage].push_back({0, output});
    if (uses[i].first != kNever) in_use[item.storage].push_back(uses[i]);
  }
  Positions own(count), all(count);
  for (const auto& memory : simulation.backward_memory()) own.add(memory.bytes, {memory.first, memory.last});
  for (std::size_t s = 0; s < storages; ++s) {
    const std::vector<Span> spans = joined(std::move(in_use[s]));
    for (const Span& span : spans) all.add(found.memory[s], span);
    // A value that is only returned, as a gradient, is in use to the end.
    const BackwardPosition end = spans.empty() ? std::min(until[s], output) : spans.back().last;
    found.kept[s] = rest_before(end, spans);
  }
  found.own_bytes = own.sums();
  found.bytes = all.sums();
  for (std::size_t p = 0; p < count; ++p) found.bytes[p] += found.own_bytes[p];
  return found;
}

std::vector<Wide> kept_by_position(const Unavoidable& unavoidable, const KeptStorages& kept) {
  Positions positions(unavoidable.positions());
  for (std::size_t s = 1; s < kept.size(); ++s) {
    if (!kept[s]) continue;
    for (const Span& span : unavoidable.kept[s]) positions.add(unavoidable.memory[s], span);
  }
  return positions.sums();
}

std::vector<Wide> recomputed_by_position(const Unavoidable& unavoidable, const StepSimulation& simulation,
                                         const StepSimulation::Result& result, const KeptStorages& used) {
  std::vector<Wide> most(unavoidable.positions(), 0);
  most[0] = simulation.bytes()[result.forward_steps - 1];
  // Recomputed values run before the node that needs them.
  std::size_t position = 1;
  const auto& nodes = simulation.backward_nodes();
  for (std::size_t s = result.forward_steps; s < simulation.steps().size(); ++s) {
    most[position] = std::max(most[position], simulation.bytes()[s]);
    if (position <= nodes.size() && simulation.steps()[s] == nodes[position - 1]) ++position;
  }
  const std::vector<Wide> kept = kept_by_position(unavoidable, used);
  for (std::size_t p = 0; p < most.size(); ++p) most[p] = std::max<Wide>(0, most[p] - unavoidable.bytes[p] - kept[p]);
  return most;
}

Wide least_backward_peak(const Unavoidable& unavoidable, const Fixings& fixings) {
  KeptStorages certain;
  for (const Fixing fixing : fixings) certain.push_back(fixing == Fixing::Kept);
  const std::vector<Wide> kept = kept_by_position(unavoidable, certain);
  Wide most = 0;
  for (std::size_t p = 0; p < kept.size(); ++p) most = std::max(most, kept[p] + unavoidable.bytes[p]);
  return most;
}

}  // namespace fxcut
