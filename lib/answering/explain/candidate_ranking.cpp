#include "explain/candidate_ranking.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "explain/freed_memory.h"
#include "report/report.h"

namespace fxcut {
namespace {

enum class Tried { No, Frees, Found, Ranked, OfNoUse };

// A row of the ranking: an estimate, or the actual change that replaced it.
struct RankedRow {
  FreedMemory estimate;
  Candidate found = {};  // if it was tried
  Tried tried = Tried::No;

  std::int64_t bytes() const { return tried == Tried::No ? estimate.total_bytes() : found.freed_bytes(); }
  double bytes_per_ms() const {
    return tried == Tried::No ? estimate.bytes_per_ms() : found.freed_per_ms();
  }
};

class Ranking {
 public:
  Ranking(const ExplainContext& context, const Decision& decision, const NodeOutcomes& outcomes, const Trial& trial)
      : context_(context), decision_(decision), outcomes_(outcomes), trial_(trial) {
    for (FreedMemory& estimate : estimate_freed_memory(decision, outcomes, context.settings)) {
      rows_.push_back({std::move(estimate)});
    }
  }

  CandidateRanking run(std::size_t most, std::size_t tries) {
    CandidateRanking ranking;
    std::size_t found = 0;
    while (found < most) {
      RankedRow* best = best_row([](const RankedRow& row) { return row.tried == Tried::No || row.tried == Tried::Frees; });
      if (!best) break;
      if (best->tried == Tried::Frees) {
        best->tried = Tried::Found;
        if (found++ == 0) first_ = best;
      } else if (ranking.tried < tries) {
        try_out(*best);
        ++ranking.tried;
      } else {
        break;
      }
    }
    ranking.is_first_found = first_ != nullptr;
    while (ranking.candidates.size() < most) {
      RankedRow* best = best_row([](const RankedRow& row) { return row.tried == Tried::Frees || row.tried == Tried::Found; });
      if (!best) break;
      ranking.candidates.push_back(best->found);
      best->tried = Tried::Ranked;
    }
    return ranking;
  }

 private:
  template <typename IsCandidate>
  RankedRow* best_row(const IsCandidate& is_candidate) {
    std::int64_t largest = 0;
    for (const RankedRow& row : rows_) {
      if (row.tried != Tried::OfNoUse) largest = std::max(largest, row.bytes());
    }
    // Among equal rows, one that was tried comes first.
    const auto rank = [&](const RankedRow& row) {
      return std::tuple(&row == first_, is_worth_ranking(row.bytes(), largest), row.bytes_per_ms(), row.tried != Tried::No);
    };
    RankedRow* best = nullptr;
    for (RankedRow& row : rows_) {
      if (is_candidate(row) && (!best || rank(row) > rank(*best))) best = &row;
    }
    return best;
  }

  void try_out(RankedRow& row) const {
    const Node& node = decision_.joint.graph[row.estimate.value];
    Candidate& found = row.found;
    found.node = describe_node(node, context_.settings);
    found.outcome = outcomes_.of(row.estimate.value);
    found.modules = row.estimate.modules;
    for (const NodeId id : row.estimate.alike) found.alike.push_back(decision_.joint.graph[id].name);
    found.alternative = trial_(policy_by_node(context_, found));
    const bool is_possible = found.alternative.refused.empty() && found.alternative.adds_fault.empty();
    row.tried = is_possible && found.freed_bytes() > 0 ? Tried::Frees : Tried::OfNoUse;
  }

  const ExplainContext& context_;
  const Decision& decision_;
  const NodeOutcomes& outcomes_;
  const Trial& trial_;
  std::vector<RankedRow> rows_;
  const RankedRow* first_ = nullptr;  // that was found
};

}  // namespace

CandidateRanking rank_by_trial(const ExplainContext& context, const Decision& decision, const NodeOutcomes& outcomes,
                               const Trial& trial, std::size_t most, std::size_t tries) {
  return Ranking(context, decision, outcomes, trial).run(most, tries);
}

}  // namespace fxcut
