// The values that free the most memory for the least recomputation.
//
// A saved value that is forced to be recomputed frees its memory; so does a value that is not saved but must not be
// recomputed, if another value is saved because of it. Deciding again for each of these would take minutes on a large
// graph, so each gets an estimate first: the size of the storage that would be freed, if no other saved value is in it,
// less the sizes of the value's inputs that the backward does not have; and its FLOPs. Layers repeat (layers/layers.h):
// values with the same operator and estimate are alike there, and are one row. The graph is decided again, with all
// values of the row forced, only for the best estimates, a few times as many as requested, and these are ranked by the
// real changes. A value that is better than its estimate can be missed.

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "explain/explain.h"
#include "explain/freed_memory.h"

namespace fxcut {
namespace {

constexpr std::size_t kTriedPerRank = 3;

}  // namespace

RankedCandidates rank_candidates(const ExplainContext& context, std::size_t most) {
  const Decision decision = decide(context.joint, context.settings, context.policies, context.start_clock());
  if (decision.choice.decided_by<ByFrontier>()) {
    throw Failure(ExitStatus::Usage, "--top ranks what frees memory, but the solver frontier fills it again",
                  "'fxcut pareto' shows what each amount of saved memory costs");
  }
  const Report original = carry_out(decision, context.settings).report;
  const NodeOutcomes outcomes(decision);
  std::vector<FreedMemory> estimates = estimate_freed_memory(decision, outcomes, context.settings);
  estimates.resize(std::min(estimates.size(), kTriedPerRank * most));
  RankedCandidates ranked{describe_graph(decision, context.settings), estimates.size(), {}};
  for (const FreedMemory& estimate : estimates) {
    const Node& node = decision.joint.graph[estimate.value];
    Candidate candidate{describe_node(node, context.settings), outcomes.of(estimate.value), {}, {}, estimate.modules};
    for (const NodeId id : estimate.alike) candidate.alike.push_back(decision.joint.graph[id].name);
    ForcedTag forced{{candidate.alike.begin(), candidate.alike.end()}, CheckpointPolicy::MustRecompute};
    forced.nodes.insert(node.name);
    candidate.alternative = find_alternative(context, original, forced);
    if (!candidate.alternative.refused.empty() || candidate.freed_bytes() <= 0) continue;
    ranked.candidates.push_back(std::move(candidate));
  }
  std::int64_t largest = 0;
  for (const Candidate& candidate : ranked.candidates) largest = std::max(largest, candidate.freed_bytes());
  const auto is_large = [&](const Candidate& candidate) { return is_worth_ranking(candidate.freed_bytes(), largest); };
  std::stable_sort(ranked.candidates.begin(), ranked.candidates.end(), [&](const Candidate& a, const Candidate& b) {
    return is_large(a) != is_large(b) ? is_large(a) : a.freed_per_flop() > b.freed_per_flop();
  });
  ranked.candidates.resize(std::min(ranked.candidates.size(), most));
  return ranked;
}

}  // namespace fxcut
