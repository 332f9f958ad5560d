#include "peak/spread_choices.h"

#include <algorithm>
#include <utility>

#include "finish/random_pairs.h"
#include "memory/bytes_in_use.h"

namespace fxcut {

SpreadChoices::SpreadChoices(const RecomputeProblem& problem, const Unavoidable& unavoidable,
                             const StepSimulation& simulation, const Analysis& analysis, const Fixings& fixings)
    : problem_(problem), own_bytes_(problem.items.size(), 0) {
  for (const Fixing fixing : fixings) fixed_.push_back(fixing == Fixing::Kept);
  fix_random_numbers(unavoidable, simulation);
  find_storages(unavoidable);
  find_uses_of_backward(simulation, analysis, unavoidable);
  find_crossing();
}

void SpreadChoices::fix_random_numbers(const Unavoidable& unavoidable, const StepSimulation& simulation) {
  for (const Item& item : problem_.items) {
    if (!item.savable || item.storage == kFreeStorage || !simulation.draws_cpu_numbers(item.node)) continue;
    if (unavoidable.memory[item.storage] <= RandomPair::kCpuStateBytes) fixed_[item.storage] = true;
  }
}

void SpreadChoices::find_storages(const Unavoidable& unavoidable) {
  std::vector<std::uint32_t> index(problem_.storages.size(), kNoStorage);
  const auto made_index = [&](ItemIndex i) {
    return problem_.items[i].storage == kNoStorage ? kNoStorage : index[problem_.items[i].storage];
  };
  for (ItemIndex i = 0; i < problem_.items.size(); ++i) {
    const Item& item = problem_.items[i];
    made_begin_.push_back(static_cast<std::uint32_t>(storages_.size()));
    const bool is_new = item.has_storage() && index[item.storage] == kNoStorage;
    if (item.in_forward && is_new) {
      index[item.storage] = made_begin_.back();
      storages_.push_back({.storage = item.storage, .bytes = unavoidable.memory[item.storage],
                           .is_fixed = fixed_[item.storage], .made_at = i});
    }
    if (made_index(i) != kNoStorage && item.savable) storages_[made_index(i)].is_savable = true;
    for (const ItemIndex input : problem_.inputs_of(i)) {
      if (made_index(input) == kNoStorage) continue;
      MadeStorage& used = storages_[made_index(input)];
      if (item.in_forward) used.last_used = i;
      else used.is_for_backward = true;  // by a view of a saved value, for instance
    }
    if (made_index(i) != kNoStorage && item.demanded) storages_[made_index(i)].is_for_backward = true;
  }
  made_begin_.push_back(static_cast<std::uint32_t>(storages_.size()));
}

void SpreadChoices::find_uses_of_backward(const StepSimulation& simulation, const Analysis& analysis,
                                          const Unavoidable& unavoidable) {
  const auto& nodes = simulation.backward_nodes();
  for (std::size_t p = 0; p < nodes.size(); ++p) {
    for (const NodeId input : analysis.node(nodes[p]).inputs) {
      const ItemIndex item = simulation.item_of(input);
      if (item != kNoItem) own_bytes_[item] = std::max(own_bytes_[item], unavoidable.own_bytes[p + 1]);
    }
  }
}

void SpreadChoices::find_crossing() {
  const std::size_t items = problem_.items.size();
  crossing_.resize(items + 1);
  BytesInUse passing(items);
  for (const MadeStorage& made : storages_) {
    if (made.is_fixed) continue;
    if (!made.is_for_backward) passing.add(made.bytes, made.made_at, std::max(made.made_at, made.last_used));
    if (made.last_used <= made.made_at) continue;
    Int128 Crossing::* const bytes = made.is_savable ? &Crossing::savable : &Crossing::unsavable;
    crossing_[made.made_at].*bytes += made.bytes;
    crossing_[made.last_used].*bytes -= made.bytes;
  }
  passing_ = std::move(passing).sums();
  for (std::size_t i = 1; i < items; ++i) {
    crossing_[i].savable += crossing_[i - 1].savable;
    crossing_[i].unsavable += crossing_[i - 1].unsavable;
  }
}

// The last item after which the least crosses, from `first` to before `last`.
std::size_t SpreadChoices::least_crossing(std::size_t first, std::size_t last) const {
  std::size_t least = last - 1;
  for (std::size_t i = last - 1; i-- > first;) {
    if (crossing_[i] < crossing_[least]) least = i;
  }
  return least;
}

// Keeps what would be recomputed and must not be, as far as it can be saved: an input that only the first segment uses.
void SpreadChoices::keep_never_recomputed(KeptStorages& kept) const {
  std::vector<char> is_needed(problem_.items.size());
  for (ItemIndex i = static_cast<ItemIndex>(is_needed.size()); i-- > 0;) {
    const Item& item = problem_.items[i];
    if (!item.demanded && is_needed[i] == 0) continue;
    if (item.savable && item.never != Ban::None) kept[item.storage] = true;
    if (item.savable && kept[item.storage]) continue;
    for (const ItemIndex input : problem_.inputs_of(i)) is_needed[input] = 1;
  }
}

// The memory that the backward has in use for the items from the beginning of the segment on, if it recomputes them: the values
// that it uses, and the most that is in use besides.
class SpreadChoices::Segment {
 public:
  Segment(const SpreadChoices& spread, const KeptStorages& kept) : spread_(spread), kept_(kept) {}

  void begin() { for_backward_ = most_ = own_ = 0; }
  void add(std::size_t item) {
    for (std::uint32_t m = spread_.made_begin_[item]; m < spread_.made_begin_[item + 1]; ++m) {
      const MadeStorage& made = spread_.storages_[m];
      if (made.is_for_backward && !kept_[made.storage]) for_backward_ += made.bytes;
    }
    most_ = std::max(most_, for_backward_ + spread_.passing_[item]);
    own_ = std::max(own_, spread_.own_bytes_[item]);
  }
  Int128 bytes() const { return most_ + own_; }

 private:
  const SpreadChoices& spread_;
  const KeptStorages& kept_;
  Int128 for_backward_ = 0, most_ = 0, own_ = 0;
};

KeptStorages SpreadChoices::choice(Int128 limit_bytes, double earliest) const {
  KeptStorages kept = fixed_;
  Int128 kept_bytes = 0;
  Segment segment(*this, kept);
  std::size_t begin = 0;  // of the segment
  for (std::size_t i = 0; i < problem_.items.size(); ++i) {
    segment.add(i);
    for (std::uint32_t m = made_begin_[i]; m < made_begin_[i + 1]; ++m) {
      if (storages_[m].is_fixed) kept_bytes += storages_[m].bytes;
    }
    if (kept_bytes + segment.bytes() <= limit_bytes || i < begin + 2) continue;
    const auto first = begin + static_cast<std::size_t>(earliest * static_cast<double>(i - begin));
    std::size_t end = least_crossing(first, i);  // the last item of the segment
    if (crossing_[end].unsavable > 0) end = least_crossing(begin, i);
    // Storages of earlier segments are kept already, or not used after them.
    for (std::uint32_t m = made_begin_[begin]; m < made_begin_[end + 1]; ++m) {
      if (kept[storages_[m].storage] || storages_[m].last_used <= end) continue;
      kept[storages_[m].storage] = true;
      kept_bytes += storages_[m].bytes;
    }
    begin = end + 1;
    segment.begin();
    for (std::size_t again = begin; again <= i; ++again) segment.add(again);
  }
  keep_never_recomputed(kept);
  return kept;
}

}  // namespace fxcut
