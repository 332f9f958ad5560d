#include "peak/spread_choices.h"

#include <algorithm>

namespace fxcut {

SpreadChoices::SpreadChoices(const RecomputeProblem& problem, const Unavoidable& unavoidable,
                             const StepSimulation& simulation, const Analysis& analysis, const Fixings& fixings)
    : problem_(problem),
      unavoidable_(unavoidable),
      fixings_(fixings),
      made_at_(problem.storages.size(), kNoItem),
      last_used_(problem.storages.size(), 0),
      made_by_(problem.items.size()), own_bytes_(problem.items.size(), 0), crossing_(problem.items.size() + 1, 0) {
  const auto storage_of = [&](ItemIndex i) {
    const StorageIndex s = problem.items[i].storage;
    return s == kNoStorage ? kFreeStorage : s;
  };
  for (ItemIndex i = 0; i < problem.items.size(); ++i) {
    if (!problem.items[i].in_forward) continue;  // made by the backward only, such as views of saved values
    const StorageIndex s = storage_of(i);
    if (s != kFreeStorage && made_at_[s] == kNoItem) {
      made_at_[s] = i;
      made_by_[i].push_back(s);
    }
    for (const ItemIndex input : problem.inputs_of(i)) last_used_[storage_of(input)] = i;
  }
  for (StorageIndex s = 1; s < problem.storages.size(); ++s) {
    if (made_at_[s] == kNoItem || last_used_[s] <= made_at_[s] || fixings[s] == Fixing::Kept) continue;
    crossing_[made_at_[s]] += unavoidable.memory[s];
    crossing_[last_used_[s]] -= unavoidable.memory[s];
  }
  for (std::size_t i = 1; i < crossing_.size(); ++i) crossing_[i] += crossing_[i - 1];
  const auto& nodes = simulation.backward_nodes();
  for (std::size_t p = 0; p < nodes.size(); ++p) {
    for (const NodeId input : analysis.node(nodes[p]).inputs) {
      const ItemIndex item = simulation.item_of(input);
      if (item != kNoItem) own_bytes_[item] = std::max(own_bytes_[item], unavoidable.own_bytes[p + 1]);
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
  Wide segment = 0, own_bytes = 0;
  const auto add = [&](std::size_t i) {
    for (const StorageIndex s : made_by_[i]) segment += kept[s] ? Wide{0} : Wide{unavoidable_.memory[s]};
    own_bytes = std::max(own_bytes, own_bytes_[i]);
  };
  for (std::size_t i = 0; i < items; ++i) {
    add(i);
    if (kept_bytes + segment + own_bytes <= limit_bytes || i < begin + 2) continue;
    const auto first = begin + static_cast<std::size_t>(earliest * static_cast<double>(i - begin));
    std::size_t end = i - 1;  // the last item of the segment
    for (std::size_t e = i - 1; e-- > first;) {
      if (crossing_[e] < crossing_[end]) end = e;
    }
    // What earlier segments made is kept already, or not used after them.
    for (std::size_t made = begin; made <= end; ++made) {
      for (const StorageIndex s : made_by_[made]) {
        if (kept[s] || last_used_[s] <= end) continue;
        kept[s] = true;
        kept_bytes += unavoidable_.memory[s];
      }
    }
    begin = end + 1;
    segment = own_bytes = 0;
    for (std::size_t again = begin; again <= i; ++again) add(again);
  }
  return kept;
}

}  // namespace fxcut
