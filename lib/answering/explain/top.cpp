// The values that free the most memory for the least recomputation: candidate_ranking.h tells how they are found.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "explain/candidate_ranking.h"
#include "explain/explain.h"

namespace fxcut {
namespace {

constexpr std::size_t kTriedPerRank = 3, kFewestTries = 9;

}  // namespace

RankedCandidates rank_candidates(const ExplainContext& context, std::size_t most) {
  const std::shared_ptr<const Decision> made = decision_of(context);
  const Decision& decision = *made;
  if (decision.choice.decided_by<ByFrontier>()) {
    throw Failure(ExitStatus::Usage, "--top ranks what frees memory, but the solver frontier fills it again",
                  "'fxcut pareto' shows what each amount of saved memory costs");
  }
  const Report original = carry_out(decision, context.settings).report;
  const Trial trial = [&](const PolicyStack& policies) { return find_alternative(context, original, policies); };
  CandidateRanking ranking = rank_by_trial(context, decision, NodeOutcomes(decision), trial, most,
                                           std::max(kFewestTries, kTriedPerRank * most));
  return {describe_graph(decision, context.settings), ranking.tried, std::move(ranking.candidates)};
}

}  // namespace fxcut
