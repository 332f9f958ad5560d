#include "frontier/path_search.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "frontier/decision_states.h"
#include "frontier/way_bounds.h"

namespace fxcut {
namespace {

// Of finding the states, and of all searches through them: a quarter of a second, and half a second.
constexpr std::int64_t kMostStepsForStates = 30'000'000, kMostStepsForPaths = 60'000'000;
constexpr std::size_t kStepsALabel = 4;  // measured

struct Label {
  std::int64_t bytes = 0;
  Wide run_cost = 0;
  std::uint32_t kept = 0;  // position of the last Keep
};

class LabelSearch {
 public:
  LabelSearch(const RecomputeProblem& problem, const DecisionStates& states, const WayBounds& bounds, std::int64_t most_steps,
              Effort& effort)
      : problem_(problem), states_(states), bounds_(bounds), steps_left_(most_steps), effort_(effort) {}

  bool is_spent() const { return steps_left_ < 0 || effort_.is_spent(); }

  // The storages of the cheapest path that costs at most this; nothing if there is none or the search is spent.
  std::optional<KeptStorages> cheapest(Wide at_most) {
    kept_.assign(1, {});
    std::vector<std::vector<Label>> labels(states_.size());
    if (bounds_.may_end(0, 0, states_.run_cost, at_most)) labels[0].push_back({0, states_.run_cost, 0});
    for (StateIndex s = 0; s + 1 < states_.size(); ++s) {
      const std::vector<Label> here = best_of(std::exchange(labels[s], {}));
      for (const StateStep& step : states_.from(s)) {
        for (const Label& label : here) {
          if (const auto next = extended(label, step, at_most)) labels[step.to].push_back(*next);
        }
      }
      if (is_spent()) return std::nullopt;
    }
    const std::vector<Label> ends = best_of(std::move(labels.back()));
    if (ends.empty()) return std::nullopt;
    return storages_of(ends.back());
  }

 private:
  struct Keep {
    std::uint32_t before = 0;  // its position; 0 before the first
    StorageIndex storage = kNoStorage;
  };

  // Those that no other is as good as, in the order of bytes.
  std::vector<Label> best_of(std::vector<Label> labels) {
    const std::size_t steps = kStepsALabel * labels.size();
    steps_left_ -= static_cast<std::int64_t>(steps);
    effort_.take(steps);
    std::ranges::sort(labels, [](const Label& a, const Label& b) {
      return a.bytes != b.bytes ? a.bytes < b.bytes : a.run_cost < b.run_cost;
    });
    std::optional<Wide> least;
    std::erase_if(labels, [&](const Label& label) {
      if (least && label.run_cost >= *least) return true;
      least = label.run_cost;
      return false;
    });
    return labels;
  }

  std::optional<Label> extended(Label label, const StateStep& step, Wide at_most) {
    label.run_cost += step.run_cost;
    if (step.keeps != kNoStorage) label.bytes += problem_.storages[step.keeps].bytes;
    if (!bounds_.may_end(step.to, label.bytes, label.run_cost, at_most)) return std::nullopt;
    if (step.keeps != kNoStorage) {
      kept_.push_back({label.kept, step.keeps});
      label.kept = static_cast<std::uint32_t>(kept_.size() - 1);
    }
    return label;
  }

  KeptStorages storages_of(const Label& label) const {
    KeptStorages kept(problem_.storages.size(), false);
    for (std::uint32_t at = label.kept; at != 0; at = kept_[at].before) kept[kept_[at].storage] = true;
    return kept;
  }

  const RecomputeProblem& problem_;
  const DecisionStates& states_;
  const WayBounds& bounds_;
  std::int64_t steps_left_;
  Effort& effort_;
  std::vector<Keep> kept_;
};

}  // namespace

Wide search_paths(const RecomputeProblem& problem, const Fixings& fixings, Wide bound, Incumbent& incumbent) {
  const auto states = decision_states(problem, fixings, kMostStepsForStates, incumbent.effort());
  if (!states) return bound;
  const WayBounds bounds(problem, *states, incumbent.limit_bytes(), incumbent.effort());
  LabelSearch search(problem, *states, bounds, kMostStepsForPaths, incumbent.effort());
  const Wide best = incumbent.best()->run_cost, gap = best - bound;
  for (const Wide parts : {64, 16, 4, 1}) {
    const Wide at_most = parts == 1 ? best - 1 : bound + gap / parts;
    const auto kept = search.cheapest(incumbent.run_costs().round_down(at_most));
    if (kept) return incumbent.offer(*kept).run_cost;
    if (search.is_spent()) return bound;
    bound = at_most + 1;
  }
  return best;
}

}  // namespace fxcut
