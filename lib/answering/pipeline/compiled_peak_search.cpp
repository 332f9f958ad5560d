#include "pipeline/compiled_peak_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "pipeline/operators_limits.h"
#include "pipeline/search_facts.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr int kMostSearches = 2;

struct Round {
  Partition partition;

  Wide code_bytes() const { return partition.report.memory.compiled->peak_bytes; }
  Wide cost() const { return compared_cost(partition); }
  PeaksOfDecision peaks() const {
    return {static_cast<double>(partition.report.memory.peak_bytes), static_cast<double>(code_bytes())};
  }

  std::unordered_set<std::string> saved() const {
    std::unordered_set<std::string> names;
    for (const SavedValue& value : partition.report.saved_values) names.insert(value.name);
    return names;
  }
};

// Nothing if no decision keeps to the limit.
std::optional<Partition> try_to(const auto& decide, const auto& within) {
  try {
    return decide(within);
  } catch (const Failure& unmet) {
    if (unmet.status() != ExitStatus::NoPartition) throw;
    return std::nullopt;
  }
}

// What is decided within limits of the operators' peak, within each of them once.
class OperatorsRounds {
 public:
  explicit OperatorsRounds(const DecideWithinPeak& decide) : decide_(decide) {}

  // Within each limit that `next` names for what it named before, until it names none. Throws Failure (NoPartition) if there
  // is no decision within the very first.
  void follow(const auto& next) {
    std::vector<TriedLimit> tried;
    while (const std::optional<MemoryLimit> limit = next(tried)) tried.push_back({*limit, peaks_within(*limit)});
  }

  const std::vector<Round>& rounds() const { return rounds_; }
  std::vector<Round> take() { return std::move(rounds_); }

 private:
  std::optional<PeaksOfDecision> peaks_within(const MemoryLimit& limit) {
    const auto before = std::ranges::find(tried_, limit, &TriedLimit::limit);
    if (before != tried_.end()) return before->peaks;
    std::optional<Partition> found = rounds_.empty() ? decide_(limit) : try_to(decide_, limit);
    tried_.push_back({limit, std::nullopt});
    if (!found) return std::nullopt;
    if (!rounds_.empty()) forget_bound(found->report);  // of another limit
    rounds_.push_back({*std::move(found)});
    return tried_.back().peaks = rounds_.back().peaks();
  }

  const DecideWithinPeak& decide_;
  std::vector<TriedLimit> tried_;
  std::vector<Round> rounds_;
};

bool is_free(const std::vector<Round>& rounds, const MemoryLimit& limit) { return rounds.front().code_bytes() <= limit.bytes; }

std::vector<Round> within_operators_limits(const MemoryLimit& limit, const DecideWithinPeak& decide, Spread spread,
                                           const HaltRequested& halt) {
  OperatorsRounds search(decide);
  const auto most_bytes = static_cast<double>(limit.bytes);
  if (!limit.is_least) search.follow([&](const auto& tried) { return next_operators_limit(tried, most_bytes); });
  if (limit.is_least || (spread == Spread::Many && !is_free(search.rounds(), limit))) {
    search.follow([&](const auto& tried) {
      const bool is_enough = tried.size() > 1 && halt() != Halt::No;
      return is_enough ? std::nullopt : next_operators_limit_upwards(tried, spread);
    });
  }
  return search.take();
}

// What is saved in each round, once: of those that fit the cheapest first, then of the others the lowest.
std::vector<std::unordered_set<std::string>> beginnings(const std::vector<Round>& rounds, const MemoryLimit& limit) {
  std::vector<const Round*> order;
  for (const Round& round : rounds) order.push_back(&round);
  std::ranges::stable_sort(order, {}, [&](const Round* round) {
    const bool fits = round->code_bytes() <= limit.bytes;
    return std::tuple(!fits, fits ? round->cost() : round->code_bytes());
  });
  std::vector<std::unordered_set<std::string>> saved;
  for (const Round* round : order) {
    if (std::unordered_set<std::string> of_round = round->saved(); std::ranges::find(saved, of_round) == saved.end()) {
      saved.push_back(std::move(of_round));
    }
  }
  return saved;
}

// What is decided by the code's own peak. What finishing a decision adds to its code is taken from the limit of a second search.
std::vector<Round> within_code_limits(const MemoryLimit& limit, const std::vector<Round>& begin, const SearchNear& near) {
  std::vector<Round> rounds;
  CompiledPeakSearch search{limit, beginnings(begin, limit), is_free(begin, limit)};
  while (rounds.size() < kMostSearches) {
    std::optional<Partition> found = try_to(near, search);
    if (!found) break;
    Report& report = rounds.emplace_back(*std::move(found)).partition.report;
    if (report.memory.compiled->peak_bytes != report.peak_limit->limit_bytes) forget_bound(report);
    const Wide excess = report.memory.compiled->peak_bytes - limit.bytes;
    if (limit.is_least || search.only_compares || excess <= 0 || excess >= search.limit.bytes) break;
    search.limit = limit_of_bytes(search.limit.bytes - static_cast<std::int64_t>(excess));
  }
  return rounds;
}

auto lowest_of(std::vector<Round>& rounds) {
  return std::ranges::min_element(rounds, {}, [](const Round& round) { return std::pair(round.code_bytes(), round.cost()); });
}

// Of those that fit; some do.
auto cheapest_of(std::vector<Round>& rounds, const MemoryLimit& limit) {
  return std::ranges::min_element(rounds, {}, [&](const Round& round) {
    return std::tuple(round.code_bytes() > limit.bytes, round.cost(), -round.code_bytes());
  });
}

Failure above_limit_compiled(const MemoryLimit& limit, const PredictedMemoryReport& lowest) {
  return Failure(ExitStatus::NoPartition,
                 fmt::format("found no decision whose code, as predicted of inductor, has a peak of at most {} bytes: the lowest "
                             "found is {} bytes ({}), in the {} at '{}'",
                             limit.bytes, lowest.peak_bytes, show_scaled(static_cast<double>(lowest.peak_bytes), "B"),
                             lowest.peak_at.graph, lowest.peak_at.node),
                 fmt::format("allow {} bytes, or 'least' for the lowest that is found", lowest.peak_bytes));
}

}  // namespace

Partition partition_within_compiled_peak(const MemoryLimit& limit, const DecideWithinPeak& decide, const SearchNear& near,
                                         Spread spread, const HaltRequested& halt) {
  std::vector<Round> rounds = within_operators_limits(limit, decide, spread, halt);
  const bool searches = !is_free(rounds, limit) || is_compared_by_time(rounds.front().partition);
  if (near && searches) std::ranges::move(within_code_limits(limit, rounds, near), std::back_inserter(rounds));
  const auto lowest = lowest_of(rounds);
  if (!limit.is_least && lowest->code_bytes() > limit.bytes) {
    throw above_limit_compiled(limit, *lowest->partition.report.memory.compiled);
  }
  const auto chosen = limit.is_least ? lowest : cheapest_of(rounds, limit);
  std::size_t tried = 0;
  for (const Round& round : rounds) tried += round.partition.report.peak_limit->tried;
  chosen->partition.report.peak_limit->tried = tried;
  return std::move(chosen->partition);
}

}  // namespace fxcut
