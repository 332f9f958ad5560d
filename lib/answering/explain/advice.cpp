#include "explain/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "classify/gathered_parameters.h"
#include "explain/alternative.h"
#include "explain/candidate_ranking.h"
#include "explain/node_outcomes.h"
#include "partition/ways_out.h"
#include "system/threads.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxNodes = 10'000;  // that are decided on again in all
constexpr std::size_t kMaxTries = 9;       // no more than `explain --top 3` has

// A decision takes as long as its cuts.
std::size_t tries(const Partition& partition) {
  const std::size_t cuts = std::max<std::size_t>(1, partition.report.cuts.size());
  return std::min(kMaxTries, kMaxNodes / (cuts * std::max<std::size_t>(1, partition.decision->joint.graph.size())));
}

// "for about 5.0 ms more".
std::string show_price(double ms) {
  return fmt::format("for about {} {}", show_cost(std::abs(ms), "ms"), ms < 0 ? "less" : "more");
}

Advice rank_all(const AdviceRequest& request) {
  return {"what frees the most memory for each ms by being recomputed",
          fmt::format("fxcut explain {}{} --top 3", request.graph, request.options)};
}

class Adviser {
 public:
  Adviser(const Partition& partition, const AdviceRequest& request)
      : partition_(partition), request_(request), context_{*request.joint, request.settings, request.policies, kNoClock},
        effect_(effect_of(partition.report)) {}

  // If there may be a value that so few decisions do not find, the command that looks for it.
  std::optional<Advice> recompute_best() const {
    const NodeOutcomes outcomes(*partition_.decision, *partition_.sides);
    const std::size_t most_tries = tries(partition_);
    const Trial trial = [&](const PolicyStack& policies) { return weigh_alternative(context_, effect_, policies); };
    const CandidateRanking ranking = rank_by_trial(context_, *partition_.decision, outcomes, trial, 1, most_tries);
    if (!ranking.is_first_found) {
      const bool may_be_found = !ranking.candidates.empty() || (ranking.tried == most_tries && most_tries < kMaxTries);
      return may_be_found ? std::optional(rank_all(request_)) : std::nullopt;
    }
    const Candidate& best = ranking.candidates.front();
    const std::string others = best.alike.empty() ? "" : fmt::format(" x{}", 1 + best.alike.size());
    return Advice{fmt::format("{} less {}: recompute {}{}{}", show_bytes(best.freed_bytes()),
                              show_price(best.alternative.step_ms_change), best.node.name, others,
                              best.modules.empty() ? "" : fmt::format(" ({})", best.modules)),
                  fmt::format("fxcut explain {}{} --top 3 --write-policy FILE", request_.graph, request_.options)};
  }

  // The effect of --recompute-gathered on parameters that are gathered from shards.
  std::optional<Advice> gather_again() const {
    const std::vector<bool> is_gathered = find_gathered_parameters(partition_.decision->joint.graph);
    if (std::find(is_gathered.begin(), is_gathered.end(), true) == is_gathered.end()) return std::nullopt;
    PolicyMatch gathered;
    gathered.kind = NodeKind::Gathered;
    PolicyStack policies = request_.policies;
    policies.push_back({"--recompute-gathered", RuleList{{{gathered, CheckpointPolicy::MustRecompute}}, std::nullopt}});
    const Alternative found = weigh_alternative(context_, effect_, policies);
    const std::int64_t freed = -found.saved_bytes_not_static_change;
    if (!found.refused.empty() || !found.adds_fault.empty() || freed <= 0) return std::nullopt;
    return Advice{fmt::format("{} less without parameters that were gathered from shards: gather them again in the backward",
                              show_bytes(freed)),
                  fmt::format("fxcut partition {}{} --recompute-gathered", request_.graph, request_.options)};
  }

 private:
  inline static const std::function<HaltRequested()> kNoClock = [] { return kNeverHalt; };

  const Partition& partition_;
  const AdviceRequest& request_;
  const ExplainContext context_;
  const DecisionEffect effect_;
};

std::vector<Advice> try_to_recompute(const Partition& partition, const AdviceRequest& request) {
  const Adviser adviser(partition, request);
  std::vector<Advice> advice;
  if (auto first = adviser.recompute_best()) advice.push_back(*std::move(first));
  if (auto gathering = adviser.gather_again()) advice.push_back(*std::move(gathering));
  return advice;
}

// The default partitioner heeds no limit.
bool heeds_limits(const Settings& settings) {
  return !settings.chooses_partitioner || settings.partitioner != Partitioner::Default;
}

}  // namespace

bool is_tried_for_advice(std::size_t nodes) { return nodes <= kMaxNodes; }

void begin_ways_out(AdviceRequest& request) {
  const bool is_limited = request.settings.saved_bytes_limit || request.settings.peak_bytes_limit;
  if (!request.joint || is_limited || !heeds_limits(request.settings)) return;
  request.ways = find_ways_out_ahead(request.joint, request.settings, request.policies);
}

HoldingLess advise(const Partition& partition, const AdviceRequest& request) {
  const Report& report = partition.report;
  HoldingLess less{fmt::format("fxcut partition {}{}", request.graph, request.without_limits), {}, {}};
  std::vector<Advice>& advice = less.advice;
  if (report.totals.saved_bytes_not_static == 0 || !partition.decision) return less;
  const bool fills_again = report.frontier || request.settings.peak_bytes_limit;
  const bool is_searched = !fills_again && request.joint;
  using Ways = std::optional<std::vector<WayOut>>;
  auto [ways, tried] = at_once(
      request.joint ? request.joint->graph.size() : 0,
      [&] {
        if (!heeds_limits(request.settings)) return Ways();
        if (!is_searched || !request.ways.valid()) return Ways(std::in_place);
        return request.ways.get() ? Ways(request.ways.get()->below(report)) : Ways();
      },
      [&] { return is_searched && tries(partition) > 0 ? try_to_recompute(partition, request) : std::vector<Advice>(); });
  advice = std::move(tried);
  if (!fills_again && !(is_searched && tries(partition) > 0)) advice.push_back(rank_all(request));
  if (!ways) return less;
  less.ways = *std::move(ways);
  advice.push_back({"the least recomputation for each amount of memory, to choose a --saved-bytes",
                    fmt::format("fxcut pareto {}{}", request.graph, request.without_limits)});
  return less;
}

}  // namespace fxcut
