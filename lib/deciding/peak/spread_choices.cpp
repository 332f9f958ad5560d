#include "peak/spread_choices.h"

#include <algorithm>

namespace fxcut {

SpreadChoices::SpreadChoices(const RecomputeProblem& problem, const Unavoidable& unavoidable,
                             const StepSimulation& simulation, const Analysis& analysis, const Fixings& fixings)
    : problem_(problem),
      unavoidable_(unavoidable),
      fixings_(fixings),
      made_at_(problem.storages.size(), kNoItem),
      last_taken_(problem.storages.size(), 0),
      made_by_(problem.items.size()),
      beside_(problem.items.size(), 0),
      crossing_(problem.items.size() + 1, 0) {
  const auto lies_in = [&](ItemIndex i) {
    const StorageIndex s = problem.items[i].storage;
    return s == kNoStorage ? kFreeStorage : s;
  };
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    if (!problem.items[i].in_forward) continue;  // what only the backward makes, such as views of what is there
    const StorageIndex s = lies_in(i);
    if (s != kFreeStorage && made_at_[s] == kNoItem) {
      made_at_[s] = i;
      made_by_[i].push_back(s);
    }
    for (const ItemIndex input : problem.inputs_of(i)) last_taken_[lies_in(input)] = i;
  }
  for (StorageIndex s = 1; s < problem.storages.size(); ++s) {
    if (made_at_[s] == kNoItem || last_taken_[s] <= made_at_[s] || fixings[s] == Fixing::Kept) continue;
    crossing_[made_at_[s]] += unavoidable.memory[s];
    crossing_[last_taken_[s]] -= unavoidable.memory[s];
  }
  for (std::size_t i = 1; i < crossing_.size(); ++i) crossing_[i] += crossing_[i - 1];
  const auto& nodes = simulation.backward_nodes();
  for (std::size_t p = 0; p < nodes.size(); ++p) {
    for (const NodeId input : analysis.node(nodes[p]).inputs) {
      const ItemIndex item = simulation.item_of(input);
      if (item != kNoItem) beside_[item] = std::max(beside_[item], unavoidable.own_bytes[p + 1]);
    }
  }
}

KeptStorages SpreadChoices::choice(Wide limit_bytes, double earliest) const {
  KeptStorages kept(problem_.storages.size(), false);
  Wide kept_bytes = 0;
  for (StorageIndex s = 0; s < kept.size(); ++s) {
    kept[s] = fixings_[s] == Fixing::Kept;
    if (kept[s]) kept_bytes += unavoidable_.memory[s];
  }
  const std::size_t items = problem_.items.size();
  std::size_t begin = 0;  // of the segment
  Wide segment = 0, beside = 0;
  const auto add = [&](std::size_t i) {
    for (const StorageIndex s : made_by_[i]) segment += kept[s] ? Wide{0} : Wide{unavoidable_.memory[s]};
    beside = std::max(beside, beside_[i]);
  };
  for (std::size_t i = 0; i < items; ++i) {
    add(i);
    if (kept_bytes + segment + beside <= limit_bytes || i < begin + 2) continue;
    const auto first = begin + static_cast<std::size_t>(earliest * static_cast<double>(i - begin));
    std::size_t end = i - 1;  // the last item of the segment
    for (std::size_t e = i - 1; e-- > first;) {
      if (crossing_[e] < crossing_[end]) end = e;
    }
    for (StorageIndex s = 1; s < kept.size(); ++s) {
      if (kept[s] || made_at_[s] == kNoItem || made_at_[s] > end || last_taken_[s] <= end) continue;
      kept[s] = true;
      kept_bytes += unavoidable_.memory[s];
    }
    begin = end + 1;
    segment = beside = 0;
    for (std::size_t again = begin; again <= i; ++again) add(again);
  }
  return kept;
}

}  // namespace fxcut
