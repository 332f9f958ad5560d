#include "explain/top.h"

#include <algorithm>

#include "diagnostic/diagnostic.h"
#include "explain/explain.h"
#include "explain/promises.h"

namespace fxcut {
namespace {

constexpr std::size_t kTriedPerRank = 3;

}  // namespace

RankedCandidates rank_candidates(const Question& question, std::size_t most) {
  const Decision decision = decide(question.joint, question.settings, question.policies, question.start_clock());
  if (decision.choice.decided_by<ByFrontier>()) {
    throw Failure(ExitStatus::Usage, "--top ranks what frees memory, but the solver frontier fills it again",
                  "'fxcut pareto' shows what each amount of saved memory costs");
  }
  const Report made = carry_out(decision, question.settings).report;
  const Fates fates(decision);
  std::vector<Promise> promises = find_promises(decision, fates, question.settings);
  promises.resize(std::min(promises.size(), kTriedPerRank * most));
  RankedCandidates ranked{describe_graph(decision, question.settings), promises.size(), {}};
  for (const Promise& promise : promises) {
    const Node& node = decision.joint.graph[promise.value];
    Candidate candidate{shown(node, question.settings), fates.of(promise.value), {}, {}, promise.modules};
    candidate.other_way = find_other_way(question, made, {node.name, CheckpointPolicy::MustRecompute});
    if (!candidate.other_way.refused.empty() || candidate.freed_bytes() <= 0) continue;
    for (const NodeId id : promise.alike) candidate.alike.push_back(decision.joint.graph[id].name);
    ranked.candidates.push_back(std::move(candidate));
  }
  std::stable_sort(
      ranked.candidates.begin(), ranked.candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.freed_per_flop() > b.freed_per_flop(); });
  ranked.candidates.resize(std::min(ranked.candidates.size(), most));
  return ranked;
}

}  // namespace fxcut
