#include "pipeline/compiled_peak_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::size_t kMostRounds = 5;
constexpr int kMostSearches = 2;
constexpr double kClose = 0.98;  // of the limit: from there on a decision is good enough
constexpr double kAim = 0.99;
constexpr double kLeastStep = 0.05;  // of the way between two limits
constexpr double kHigher[] = {1.25, 1.5, 2};  // than the operators' lowest peak: limits in the search for the lowest of code

const MemoryLimit kLeast{true, 0, "least"};

struct Round {
  MemoryLimit limit;
  Partition partition;

  double code_bytes() const { return static_cast<double>(partition.report.memory.compiled->peak_bytes); }
  double operators_bytes() const { return static_cast<double>(partition.report.memory.peak_bytes); }
  Wide run_cost() const { return partition.report.frontier ? partition.report.frontier->run_cost : Wide{0}; }

  std::unordered_set<std::string> saved() const {
    std::unordered_set<std::string> names;
    for (const SavedValue& value : partition.report.saved_values) names.insert(value.name);
    return names;
  }
};

// It is not for the limit of the code's peak.
void forget_bound(Report& report) {
  report.peak_limit->bound.reset();
  if (!report.frontier || report.frontier->run_cost == 0) return;
  report.frontier->bound = 0;
  report.frontier->is_proven = false;
  if (report.frontier->ended_by == EndedBy::Proof) report.frontier->ended_by = EndedBy::Exhausted;
}

class Search {
 public:
  explicit Search(const DecideWithinPeak& decide) : decide_(decide) {}

  // False if no decision is within the limit.
  bool attempt(const MemoryLimit& limit) {
    try {
      rounds_.push_back({limit, decide_(limit)});
      if (rounds_.size() > 1) forget_bound(rounds_.back().partition.report);  // of another limit
    } catch (const Failure& unmet) {
      if (unmet.status() != ExitStatus::NoPartition || rounds_.empty()) throw;
      return false;
    }
    return true;
  }

  void below(double most_bytes) {
    attempt(limit_of_bytes(std::numeric_limits<std::int64_t>::max()));
    while (rounds_.size() < kMostRounds) {
      const std::optional<MemoryLimit> limit = next(most_bytes);
      if (!limit || (!attempt(*limit) && (limit->is_least || !attempt(kLeast)))) return;
    }
  }

  void for_lowest() {
    attempt(limit_of_bytes(std::numeric_limits<std::int64_t>::max()));
    if (!attempt(kLeast)) return;
    const double lowest = rounds_.back().operators_bytes();
    for (const double higher : kHigher) attempt(limit_of_bytes(static_cast<std::int64_t>(higher * lowest)));
  }

  // From what the rounds have decided. What finishing a decision adds to its code is taken from the limit of a second search.
  void near(const MemoryLimit& limit, const SearchNear& search) {
    if (!search || rounds_.front().code_bytes() <= static_cast<double>(limit.bytes)) return;
    CompiledPeakSearch from{limit, beginnings(static_cast<double>(limit.bytes))};
    for (int i = 0; i < kMostSearches; ++i) {
      try {
        rounds_.push_back({limit, search(from)});
      } catch (const Failure& unmet) {
        if (unmet.status() != ExitStatus::NoPartition) throw;
        return;
      }
      Report& report = rounds_.back().partition.report;
      if (report.memory.compiled->peak_bytes != report.peak_limit->limit_bytes) forget_bound(report);
      const Wide excess = report.memory.compiled->peak_bytes - limit.bytes;
      if (limit.is_least || excess <= 0 || excess >= from.limit.bytes) return;
      from.limit = limit_of_bytes(from.limit.bytes - static_cast<std::int64_t>(excess));
    }
  }

  Partition take(const std::vector<Round>::iterator& chosen) {
    std::size_t tried = 0;
    for (const Round& round : rounds_) tried += round.partition.report.peak_limit->tried;
    Partition found = std::move(chosen->partition);
    found.report.peak_limit->tried = tried;
    return found;
  }

  std::vector<Round>::iterator lowest() {
    return std::ranges::min_element(rounds_, {},
                                    [](const Round& round) { return std::pair(round.code_bytes(), round.run_cost()); });
  }

  std::vector<Round>::iterator cheapest(double most_bytes) {
    return best_of([&](const Round& round) { return round.code_bytes() <= most_bytes; },
                   [](const Round& round) { return std::pair(round.run_cost(), -round.code_bytes()); });
  }

 private:
  // What is saved in each round, once: of those that fit the cheapest first, then of the others the lowest.
  std::vector<std::unordered_set<std::string>> beginnings(double most_bytes) const {
    std::vector<const Round*> order;
    for (const Round& round : rounds_) order.push_back(&round);
    std::ranges::stable_sort(order, {}, [&](const Round* round) {
      const bool fits = round->code_bytes() <= most_bytes;
      return std::tuple(!fits, fits ? static_cast<double>(round->run_cost()) : round->code_bytes());
    });
    std::vector<std::unordered_set<std::string>> saved;
    for (const Round* round : order) {
      if (std::unordered_set<std::string> of_round = round->saved(); std::ranges::find(saved, of_round) == saved.end()) {
        saved.push_back(std::move(of_round));
      }
    }
    return saved;
  }

  // The end if none is eligible.
  std::vector<Round>::iterator best_of(const auto& is_eligible, const auto& rank) {
    auto best = rounds_.end();
    for (auto round = rounds_.begin(); round != rounds_.end(); ++round) {
      if (is_eligible(*round) && (best == rounds_.end() || rank(*round) < rank(*best))) best = round;
    }
    return best;
  }

  std::vector<Round>::iterator largest(double most_bytes) {
    return best_of([&](const Round& round) { return round.code_bytes() <= most_bytes; },
                   [](const Round& round) { return -round.code_bytes(); });
  }

  std::vector<Round>::iterator least_above(double most_bytes) {
    return best_of([&](const Round& round) { return round.code_bytes() > most_bytes; }, std::mem_fn(&Round::operators_bytes));
  }

  // Nothing where the search is over.
  std::optional<MemoryLimit> next(double most_bytes) {
    const auto high = least_above(most_bytes);
    const auto low = largest(most_bytes);
    if (high == rounds_.end() || (low != rounds_.end() && low->code_bytes() >= kClose * most_bytes)) return {};
    if (low == rounds_.end()) {
      if (std::ranges::any_of(rounds_, [](const Round& round) { return round.limit.is_least; })) return {};
      if (rounds_.size() + 1 == kMostRounds) return kLeast;
      return limit_of_bytes(static_cast<std::int64_t>(high->operators_bytes() * kAim * most_bytes / high->code_bytes()));
    }
    const double bottom = low->limit.is_least ? low->operators_bytes() : static_cast<double>(low->limit.bytes);
    const double part = (kAim * most_bytes - low->code_bytes()) / (high->code_bytes() - low->code_bytes());
    const double limit = bottom + std::clamp(part, kLeastStep, 1 - kLeastStep) * (high->operators_bytes() - bottom);
    if (limit <= bottom || limit >= high->operators_bytes()) return {};
    return limit_of_bytes(static_cast<std::int64_t>(limit));
  }

  const DecideWithinPeak& decide_;
  std::vector<Round> rounds_;
};

Failure above_limit_compiled(const MemoryLimit& limit, const PredictedMemoryReport& lowest) {
  return Failure(ExitStatus::NoPartition,
                 fmt::format("found no decision whose code, as predicted of inductor, has a peak of at most {} bytes: the lowest "
                             "found is {} bytes ({}), in the {} at '{}'",
                             limit.bytes, lowest.peak_bytes, show_scaled(static_cast<double>(lowest.peak_bytes), "B"),
                             lowest.peak_at.graph, lowest.peak_at.node),
                 fmt::format("allow {} bytes, or 'least' for the lowest that is found", lowest.peak_bytes));
}

}  // namespace

Partition partition_within_compiled_peak(const MemoryLimit& limit, const DecideWithinPeak& decide, const SearchNear& near) {
  Search search(decide);
  const auto most_bytes = static_cast<double>(limit.bytes);
  limit.is_least ? search.for_lowest() : search.below(most_bytes);
  search.near(limit, near);
  const auto lowest = search.lowest();
  if (limit.is_least) return search.take(lowest);
  if (lowest->code_bytes() > most_bytes) throw above_limit_compiled(limit, *lowest->partition.report.memory.compiled);
  return search.take(search.cheapest(most_bytes));
}

}  // namespace fxcut
