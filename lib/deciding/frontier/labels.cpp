#include "frontier/labels.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace fxcut {
namespace {

constexpr std::size_t kStepsALabel = 8;  // measured

}  // namespace

std::vector<Label> best_of(std::vector<Label> labels) {
  std::ranges::sort(labels, [](const Label& a, const Label& b) {
    return a.bytes != b.bytes ? a.bytes < b.bytes : a.run_cost < b.run_cost;
  });
  std::optional<Int128> least;
  std::erase_if(labels, [&](const Label& label) {
    if (least && label.run_cost >= *least) return true;
    least = label.run_cost;
    return false;
  });
  return labels;
}

bool LabelSearch::run(std::int64_t& steps_left, WorkBudget& work) {
  kept_.assign(1, {});
  labels_.assign(states_.size(), {});
  const Label first{0, states_.run_cost, 0};
  if (may_end_(0, first)) labels_[0].push_back(first);
  for (StateIndex s = 0; s < states_.size(); ++s) {
    const std::size_t steps = kStepsALabel * labels_[s].size();
    steps_left -= static_cast<std::int64_t>(steps);
    work.charge(steps);
    if (steps_left < 0 || work.is_exhausted()) return false;
    std::vector<Label> here = best_of(std::exchange(labels_[s], {}));
    for (const Transition& transition : states_.from(s)) {
      for (const Label& label : here) extend(label, transition);
    }
    if (!keeps_all_ && s + 1 < states_.size()) continue;
    here.shrink_to_fit();
    labels_[s] = std::move(here);
  }
  return true;
}

void LabelSearch::extend(const Label& label, const Transition& transition) {
  Label next{label.bytes, label.run_cost + transition.run_cost, label.kept};
  if (transition.keeps != kNoStorage) next.bytes += problem_.storages[transition.keeps].bytes;
  if (!may_end_(transition.to, next)) return;
  if (transition.keeps != kNoStorage && !keeps_all_) {
    kept_.push_back({label.kept, transition.keeps});
    next.kept = static_cast<std::uint32_t>(kept_.size() - 1);
  }
  labels_[transition.to].push_back(next);
}

std::optional<KeptStorages> LabelSearch::best() const {
  if (labels_.back().empty()) return std::nullopt;
  KeptStorages kept(problem_.storages.size(), false);
  for (std::uint32_t at = labels_.back().back().kept; at != 0; at = kept_[at].before) kept[kept_[at].storage] = true;
  return kept;
}

bool LabelBounds::may_end(StateIndex state, const Label& label, Int128 at_most) const {
  const std::vector<Label>& rests = backwards_[states_.size() - 1 - state];
  const auto after = std::ranges::upper_bound(rests, limit_bytes_ - label.bytes, {}, &Label::bytes);
  return after != rests.begin() && label.run_cost + std::prev(after)->run_cost - states_.run_cost <= at_most;
}

Int128 LabelBounds::least() const {
  const std::vector<Label>& rests = backwards_.back();
  const auto after = std::ranges::upper_bound(rests, limit_bytes_, {}, &Label::bytes);
  return after == rests.begin() ? std::numeric_limits<Int128>::max() : std::prev(after)->run_cost;
}

}  // namespace fxcut
