#include "frontier/work_budget.h"

#include <algorithm>

namespace fxcut {
namespace {

// About ten seconds of a core of 2023, and not less than the bound of a large graph needs.
constexpr std::int64_t kMaxSteps = 3'000'000'000, kMaxStepsAnItem = 10'000;
// The share of the allowed steps (1/10) that may find nothing better, in addition to as many as the best choice took.
constexpr std::int64_t kPatience = 10;
// Building, filling and searching an edge, measured on transformers of 1,000 to 100,000 nodes.
constexpr std::int64_t kStepsAnEdge = 10;

}  // namespace

WorkBudget::WorkBudget(const SearchLimits& limits, std::size_t items)
    : most_steps_(limits.most_steps > 0 ? limits.most_steps
                                        : std::max(kMaxSteps, static_cast<std::int64_t>(items) * kMaxStepsAnItem)),
      patience_(most_steps_ / kPatience), halt_(limits.halt) {}

void WorkBudget::charge_cut(std::size_t edges) { steps_ += kStepsAnEdge * static_cast<std::int64_t>(edges); }

std::optional<EndedBy> WorkBudget::find_end() const {
  if (steps_ >= most_steps_) return EndedBy::Steps;
  if (watched_from_) {
    const std::int64_t since = std::max(better_at_, *watched_from_);
    if (steps_ - since > since + patience_) return EndedBy::Stagnation;
  }
  switch (halt_()) {
    case Halt::No: return std::nullopt;
    case Halt::TimeIsUp: return EndedBy::Time;
    case Halt::Interrupted: return EndedBy::Interrupt;
  }
  return std::nullopt;
}

void WorkBudget::allow_more(std::int64_t steps) {
  most_steps_ += steps;
  if (ended_by_ == EndedBy::Steps) ended_by_.reset();
}

bool WorkBudget::is_exhausted() {
  if (!ended_by_) ended_by_ = find_end();
  return ended_by_.has_value();
}

}  // namespace fxcut
