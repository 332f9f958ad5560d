#include "partition/compiled_peak_search.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "partition/above_limit.h"
#include "partition/operators_limits.h"
#include "partition/search_facts.h"
#include "partition/try_limits.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxSearches = 2;

struct Round {
  Partition partition;

  Int128 code_bytes() const { return partition.report.memory.compiled->peak_bytes; }
  Int128 cost() const { return compared_cost(partition); }
  bool has_facts() const { return partition.report.frontier.has_value(); }  // to which bounds can be added
  PeaksOfDecision peaks() const {
    return {static_cast<double>(partition.report.memory.peak_bytes), static_cast<double>(code_bytes())};
  }
};

// The decisions made under limits of the operators' peak, one per limit.
class OperatorsRounds {
 public:
  explicit OperatorsRounds(const DecideWithinPeak& decide) : decide_(decide) {}

  // Decides within each limit that `next` returns for the limits tried so far, until it returns none, or there is no decision
  // within the first.
  void follow(const auto& next) {
    try_limits([&](const MemoryLimit& limit) { return peaks_within(limit); },
               [&](const std::vector<TriedPeaks>& tried) { return failure_ ? std::nullopt : next(tried); });
  }

  // That there is no decision within the first limit.
  const std::optional<Failure>& failure() const { return failure_; }
  const std::vector<Round>& rounds() const { return rounds_; }
  // The rounds since the last call.
  std::vector<Round> take() { return std::exchange(rounds_, {}); }

 private:
  std::optional<PeaksOfDecision> peaks_within(const MemoryLimit& limit) {
    const auto before = std::ranges::find(tried_, limit, &TriedPeaks::limit);
    if (before != tried_.end()) return before->outcome;
    Attempt<Partition> found = decide_(limit);
    const bool is_first = tried_.empty();
    if (!found && is_first) failure_ = found.failure();
    tried_.push_back({limit, std::nullopt});
    if (!found) return std::nullopt;
    if (!is_first) forget_bound(found->report);  // proven for the operators' limit: says nothing about the code's
    rounds_.push_back({*std::move(found)});
    return tried_.back().outcome = rounds_.back().peaks();
  }

  const DecideWithinPeak& decide_;
  std::vector<TriedPeaks> tried_;
  std::optional<Failure> failure_;
  std::vector<Round> rounds_;
};

bool is_free(const std::vector<Round>& rounds, const MemoryLimit& limit) { return rounds.front().code_bytes() <= limit.bytes; }

// Until the code's peak is near the limit.
void approach(OperatorsRounds& rounds, const MemoryLimit& limit) {
  const auto most_bytes = static_cast<double>(limit.bytes);
  rounds.follow([&](const auto& tried) { return next_operators_limit(tried, most_bytes); });
}

// From the operators' lowest peak upwards.
void spread_out(OperatorsRounds& rounds, Spread spread, const HaltRequested& halt) {
  rounds.follow([&](const auto& tried) {
    const bool is_enough = tried.size() > 1 && halt() != Halt::No;
    return is_enough ? std::nullopt : next_operators_limit_upwards(tried, spread);
  });
}

void within_operators_limits(OperatorsRounds& rounds, const MemoryLimit& limit, Spread spread,
                             const HaltRequested& halt) {
  if (!limit.is_least) approach(rounds, limit);
  if (limit.is_least || (spread == Spread::Many && !rounds.failure() && !is_free(rounds.rounds(), limit))) {
    spread_out(rounds, spread, halt);
  }
}

// The distinct sets of saved values among the rounds: first those that fit, cheapest first; then the others, lowest peak first.
std::vector<SavedNames> distinct_saved_sets(const std::vector<Round>& rounds, const MemoryLimit& limit) {
  std::vector<const Round*> order;
  for (const Round& round : rounds) order.push_back(&round);
  std::ranges::stable_sort(order, {}, [&](const Round* round) {
    const bool fits = round->code_bytes() <= limit.bytes;
    return std::tuple(!fits, fits ? round->cost() : round->code_bytes());
  });
  std::vector<SavedNames> saved;
  for (const Round* round : order) {
    if (SavedNames of_round = saved_names(round->partition.report); std::ranges::find(saved, of_round) == saved.end()) {
      saved.push_back(std::move(of_round));
    }
  }
  return saved;
}

// The facts that a search by the code's peak has proven about decisions within a limit.
struct Proven {
  Int128 limit_bytes = 0, bound = 0;
  std::optional<Int128> floor_bytes;
};

// Only the first search is for the limit itself, or for the lowest peak that it found.
std::optional<Proven> proven_by_first(const std::vector<Round>& searches, const MemoryLimit& limit) {
  if (searches.empty()) return std::nullopt;
  const Report& report = searches.front().partition.report;
  const PeakLimitFacts& facts = *report.peak_limit;
  return Proven{limit.is_least ? facts.limit_bytes : Int128{limit.bytes}, facts.bound.value_or(0), facts.floor_bytes};
}

// Of a search for the lowest peak.
bool is_lowest_proven(const Proven& proven) { return proven.floor_bytes && *proven.floor_bytes >= proven.limit_bytes; }

// `report` is of a decision within the limit.
void note_proven(Report& report, const std::optional<Proven>& proven, Int128 limit_bytes) {
  report.peak_limit->floor_bytes = proven ? proven->floor_bytes : std::nullopt;
  if (!proven || limit_bytes > proven->limit_bytes || !report.frontier || report.frontier->is_proven) return;
  FrontierFacts& facts = *report.frontier;
  facts.bound = std::min(proven->bound, facts.run_cost);
  report.peak_limit->bound = facts.bound;
  facts.is_proven = facts.bound == facts.run_cost;
  if (facts.is_proven) facts.ended_by = EndedBy::Proof;
}

// Decisions by the code's own peak. What finishing a decision adds to its peak is subtracted from the limit of a second search.
std::vector<Round> within_code_limits(const MemoryLimit& limit, CompiledPeakRequest request, const SearchNear& near) {
  std::vector<Round> rounds;
  const auto search_within = [&](const MemoryLimit& lowered) -> std::optional<Int128> {
    request.limit = lowered;
    std::optional<Partition> found = near(request);
    if (!found) return std::nullopt;
    Report& report = rounds.emplace_back(*std::move(found)).partition.report;
    forget_proof_of_other_peak(report);
    return report.memory.compiled->peak_bytes - limit.bytes;
  };
  lower_by_excess(limit, search_within, request.only_compares ? 1 : kMaxSearches);
  return rounds;
}

auto lowest_of(std::vector<Round>& rounds) {
  return std::ranges::min_element(
      rounds, {}, [](const Round& round) { return std::tuple(round.code_bytes(), round.cost(), !round.has_facts()); });
}

// The cheapest round that fits; at least one does.
auto cheapest_of(std::vector<Round>& rounds, const MemoryLimit& limit) {
  return std::ranges::min_element(rounds, {}, [&](const Round& round) {
    return std::tuple(round.code_bytes() > limit.bytes, round.cost(), !round.has_facts(), -round.code_bytes());
  });
}

}  // namespace

Attempt<Partition> partition_within_compiled_peak(const MemoryLimit& limit, const DecideWithinPeak& decide,
                                                  const SearchNear& near, Spread spread, const HaltRequested& halt,
                                                  const MakeOthers& others) {
  OperatorsRounds by_operators(decide);
  within_operators_limits(by_operators, limit, spread, halt);
  if (by_operators.failure()) return *by_operators.failure();
  std::vector<Round> rounds = by_operators.take();
  std::optional<Proven> proven;
  const auto take_search = [&](std::vector<Round> by_code) {
    if (by_code.empty()) return;
    proven = proven_by_first(by_code, limit);
    for (Round& round : by_code) forget_bound(round.partition.report);
    std::ranges::move(by_code, std::back_inserter(rounds));
  };
  const bool compares = is_free(rounds, limit) && is_compared_by_time(rounds.front().partition);
  if (others && (compares || !is_free(rounds, limit))) {
    for (Partition& other : others()) rounds.push_back({std::move(other)});
  }
  if (near && (compares || !is_free(rounds, limit))) {
    if (limit.is_least) {
      spread_out(by_operators, Spread::Many, halt);
      std::ranges::move(by_operators.take(), std::back_inserter(rounds));
    }
    CompiledPeakRequest request{limit, distinct_saved_sets(rounds, limit), compares};
    take_search(within_code_limits(limit, request, near));
    if (limit.is_least && proven && !is_lowest_proven(*proven)) {
      const MemoryLimit met = limit_of_bytes(static_cast<std::int64_t>(lowest_of(rounds)->code_bytes()));
      approach(by_operators, met);
      std::ranges::move(by_operators.take(), std::back_inserter(rounds));
      request.known_peak = met.bytes;
      request.starts = distinct_saved_sets(rounds, met);
      take_search(within_code_limits(limit, request, near));
    }
  }
  const auto lowest = lowest_of(rounds);
  if (!limit.is_least && lowest->code_bytes() > limit.bytes) {
    return above_limit(limit, lowest->partition.report, MemoryOf::Compiled);
  }
  const auto chosen = limit.is_least ? lowest : cheapest_of(rounds, limit);
  std::size_t tried = 0;
  for (const Round& round : rounds) tried += round.partition.report.peak_limit->tried;
  chosen->partition.report.peak_limit->tried = tried;
  note_proven(chosen->partition.report, proven, limit.is_least ? chosen->code_bytes() : Int128{limit.bytes});
  return std::move(chosen->partition);
}

}  // namespace fxcut
