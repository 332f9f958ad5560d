#include "partition/peak_search.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostic/attempt.h"
#include "diagnostic/diagnostic.h"
#include "frontier/never_recomputed.h"
#include "partition/above_limit.h"
#include "partition/best_means.h"
#include "partition/compiled_peak_search.h"
#include "partition/search_facts.h"
#include "partition/step_peak_search.h"
#include "partition/try_limits.h"
#include "report/describe_parts.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"
#include "step/settings_for_step.h"
#include "system/threads.h"

namespace fxcut {
namespace {

using Found = Attempt<Partition>;

// What is decided again and again, under other settings.
struct Asked {
  const JointGraph& joint;
  const PolicyStack& policies;
  const PassDone& done;
  const std::optional<ForcedTag>& forced;

  Found partition_under(const Settings& settings, const HaltRequested& halt) const {
    return attempt([&] { return partition(joint, settings, policies, halt, done, forced); });
  }
};

Found meet(const Asked& asked, const Settings& settings, const HaltRequested& halt) {
  const MemoryLimit limit = *settings.peak_bytes_limit;
  Settings within = settings;
  std::optional<Found> found;
  std::optional<Report> above;  // of a decision that a lowered limit was to improve
  const auto excess = [&] { return limit.is_least ? Int128{0} : (*found)->memory.peak_bytes() - limit.bytes; };
  lower_by_excess(limit, [&](const MemoryLimit& lowered) -> std::optional<Int128> {
    within.peak_bytes_limit = lowered;
    found = asked.partition_under(within, halt);
    if (!*found || !(*found)->report.peak_limit) return std::nullopt;
    if (excess() > 0) above = (*found)->report;
    return excess();
  });
  if (*found && excess() > 0) found = above_limit(limit, (*found)->report, MemoryOf::Operators);
  else if (!*found && above) found = above_limit(limit, *above, MemoryOf::Operators);
  return *std::move(found);
}

Found partition_within_operator_peak(const Asked& asked, const Settings& settings, const HaltRequested& halt) {
  Settings by_frontier = settings;
  by_frontier.activation_memory_budget_solver = frontier_solver();
  const auto decide = [&](const Settings& given) { return asked.partition_under(given, halt); };
  Found found = asked.joint.step ? step_within_peak(by_frontier, decide) : meet(asked, by_frontier, halt);
  if (found && !found->report.peak_limit) found->report.peak_limit = PeakLimitFacts{0, 1, std::nullopt};  // nothing to decide
  return found;
}

constexpr double kSmallBudget = 0.1;  // of the memory that PyTorch's own decision would save
// Units of work as frontier/work_budget.h counts it, to find decisions from which the search by the code's peak starts: a tenth
// of a second on a core of 2023, and more for the lowest peak of the operators.
constexpr std::int64_t kQuickSteps = 30'000'000, kStepsToLowest = 400'000'000;

// Limits the work, unless the settings already do.
Settings with_work(Settings settings, std::int64_t steps) {
  if (settings.budget_search_steps == 0) settings.budget_search_steps = steps;
  return settings;
}

using SearchByCode = std::function<Found(const Settings&, Spread, const MemoryLimit&)>;

Int128 peak_bytes_of(const Partition& partition, MemoryOf memory_of) {
  return memory_of == MemoryOf::Compiled ? partition.report.memory.compiled->peak_bytes : partition.memory.peak_bytes();
}

// The decision with the lowest peak, if that is within the limit: so only limits below the lowest peak are refused.
Found lowest_if_within(const MemoryLimit& limit, Found lowest, MemoryOf memory_of) {
  if (!lowest) return lowest;
  Report& report = lowest->report;
  const std::optional<Int128> floor = report.peak_limit->floor_bytes;
  const Int128 peak_bytes = peak_bytes_of(*lowest, memory_of);
  if (peak_bytes > limit.bytes) return above_limit(limit, report, memory_of, floor);
  if (peak_bytes < limit.bytes) forget_bound(report);  // proven for another limit
  report.peak_limit->floor_bytes = floor;
  return lowest;
}

// The cheaper of the lowest, whose peak is below the limit, and of what a search within the limit finds near it.
Found cheaper_near(Partition lowest, const MemoryLimit& limit, const SearchNear& near) {
  std::optional<Partition> within = near({limit, {saved_names(lowest.report)}});
  if (!within) return lowest;
  forget_proof_of_other_peak(within->report);
  const std::size_t tried = within->report.peak_limit->tried + lowest.report.peak_limit->tried;
  within->report.peak_limit->tried = lowest.report.peak_limit->tried = tried;
  const bool fits = peak_bytes_of(*within, MemoryOf::Compiled) <= limit.bytes;
  if (fits && compared_cost(*within) < compared_cost(lowest)) return *std::move(within);
  std::optional<FrontierFacts>& facts = lowest.report.frontier;
  if (!facts || !within->report.frontier) return lowest;
  facts->set_bound(std::min(facts->run_cost, within->report.frontier->bound));
  lowest.report.peak_limit->bound = facts->bound;
  return lowest;
}

// The result of `search` with these settings: first with many decisions of little work each, from which another search can start;
// failing that, while there is time, the lowest of all, and what is near it.
Found quickly_or_not(const Settings& settings, const MemoryLimit& limit, const HaltRequested& halt, const SearchByCode& search,
                     const SearchNear& near) {
  if (settings.budget_search_steps != 0 || limit.is_least) return search(settings, Spread::Few, limit);
  Found found = search(with_work(settings, kQuickSteps), Spread::Many, limit);
  if (found || halt() != Halt::No) return found;
  Found lowest = lowest_if_within(limit, search(settings, Spread::Few, least_limit()), MemoryOf::Compiled);
  if (!lowest || peak_bytes_of(*lowest, MemoryOf::Compiled) == limit.bytes) return lowest;
  return cheaper_near(*std::move(lowest), limit, near);
}

// The search by the code's peak; empty where it cannot try the decisions: copies that the solver places, drops, whole steps.
SearchNear search_near(const Asked& asked, Settings settings, const HaltRequested& halt) {
  if (settings.offload == Offload::Auto || settings.recompute_again || asked.joint.step) return {};
  settings.activation_memory_budget_solver = frontier_solver();
  return [&asked, settings = std::move(settings), &halt](const CompiledPeakRequest& request) {
    std::optional<Partition> found;
    if (halt() != Halt::No) return found;
    Found within = attempt(
        [&] { return partition_within_code(asked.joint, settings, asked.policies, halt, request, asked.done, asked.forced); });
    if (within && within->report.peak_limit) found = *std::move(within);  // without it there was nothing to decide
    return found;
  };
}

// No repair knows of these (never_recomputed.h).
bool recomputes_loop(const JointGraph& joint, const Partition& partition) {
  std::set<std::string_view> of_forward;
  for (const Node& node : partition.graphs.forward.nodes) {
    if (writes_over_carried(joint, node)) of_forward.insert(node.name);
  }
  return std::ranges::any_of(partition.graphs.backward.nodes, [&](const Node& node) { return of_forward.contains(node.name); });
}

// PyTorch's own decision, one within a small budget, and the least saved bytes: the code's peak may be lower than the operators'
// lets expect. As the answer to a limit they are repaired like the solver's own.
std::vector<Partition> without_limit_of_peak(const Asked& asked, const Settings& settings, const HaltRequested& halt) {
  Settings by_pytorch = settings;
  by_pytorch.peak_bytes_limit.reset();
  if (settings.sound == Soundness::Own) by_pytorch.sound = Soundness::Always;
  Settings least_saved = by_pytorch;
  by_pytorch.activation_memory_budget_solver = {};
  Settings by_budget = by_pytorch;
  by_budget.activation_memory_budget = kSmallBudget;
  least_saved.activation_memory_budget_solver = frontier_solver();
  least_saved.saved_bytes_limit = least_limit();
  std::vector<Partition> made;
  for (const Settings& one : {by_pytorch, by_budget, least_saved}) {
    if (halt() != Halt::No) break;
    Found found = asked.partition_under(one, halt);
    if (!found || recomputes_loop(asked.joint, *found)) continue;
    forget_bound(found->report);
    found->report.peak_limit = PeakLimitFacts{0, 1, std::nullopt};
    made.push_back(*std::move(found));
  }
  return made;
}

// With all means that the settings leave to the solver.
Found partition_as_set(const Asked& asked, const Settings& given, const HaltRequested& halt) {
  const JointGraph& joint = asked.joint;
  Settings settings = given;
  settings.memory_of = memory_of(joint, given);
  const MemoryLimit limit = *settings.peak_bytes_limit;
  if (joint.step && settings.recompute_again) {
    throw Failure(ExitStatus::Usage, "--recompute-again is not for whole steps, whose phases are in one graph",
                  "give the joint graph, or remove the option");
  }
  const bool compiled = settings.memory_of == MemoryOf::Compiled;
  const auto within_operator_peak = [&](Settings within, const MemoryLimit& of_operators) {
    within.peak_bytes_limit = of_operators;
    return partition_within_operator_peak(asked, within, halt);
  };
  const SearchNear near = search_near(asked, settings, halt);
  std::optional<std::vector<Partition>> others_made;  // by the first of several searches
  const MakeOthers others = [&] {
    if (!others_made) others_made = without_limit_of_peak(asked, settings, halt);
    return *others_made;
  };
  const auto within_peak_of_code = [&](const Settings& initial, Spread spread, const MemoryLimit& of_code) {
    const auto decide = [&](const MemoryLimit& of_operators) {
      if (!of_code.is_least) return within_operator_peak(initial, of_operators);
      if (!of_operators.is_least) return within_operator_peak(with_work(initial, kQuickSteps), of_operators);
      return within_operator_peak(near ? with_work(initial, kStepsToLowest) : initial, of_operators);
    };
    return partition_within_compiled_peak(of_code, decide, near, spread, halt,
                                          near && settings.compress == Compress::None ? others : MakeOthers());
  };
  Found found = !compiled ? within_operator_peak(settings, limit)
                : near    ? quickly_or_not(settings, limit, halt, within_peak_of_code, near)
                          : within_peak_of_code(settings, Spread::Few, limit);
  if (!found) return found;
  Report& report = found->report;
  if (joint.step) {  // the step may have been decided with other settings
    settings.cse = report.settings.cse;
    settings.partitioner = report.settings.partitioner;
  }
  report.settings = settings;
  const bool is_by_knapsack = !report.frontier && report.memory_budget < 1;
  if (is_by_knapsack) report.settings.activation_memory_budget_solver = {};
  else report.settings.activation_memory_budget_solver = frontier_solver();
  // The proof is for the operators of one graph whose values are kept or recomputed, not copied.
  if (joint.step || settings.offload == Offload::Auto) report.peak_limit->floor_bytes.reset();
  report.peak_limit->limit_bytes = limit.is_least ? peak_bytes_of(*found, settings.memory_of) : Int128{limit.bytes};
  return found;
}

// Whether a search with one set of means ends with the lowest peak (quickly_or_not()).
bool tries_lowest(const Asked& asked, const Settings& settings) {
  return memory_of(asked.joint, settings) == MemoryOf::Compiled && settings.budget_search_steps == 0 &&
         search_near(asked, settings, kNeverHalt);
}

Found partition_by_best_means(const Asked& asked, const Settings& settings, const HaltRequested& halt) {
  const JointGraph& joint = asked.joint;
  std::vector<Settings> all = with_and_without_means(joint, settings);
  const DecideUnder decide = [&](const Settings& one, const HaltRequested& halt_one) {
    const PassDone& done = all.size() == 1 ? asked.done : kNoProgress;
    return partition_as_set({joint, asked.policies, done, asked.forced}, one, halt_one);
  };
  Found best = best_by_means(all, joint.graph, halt, decide);
  const MemoryLimit limit = *settings.peak_bytes_limit;
  if (!best && !limit.is_least && !(all.size() == 1 && tries_lowest(asked, settings)) && halt() == Halt::No) {
    for (Settings& one : all) one.peak_bytes_limit = least_limit();
    best = lowest_if_within(limit, best_by_means(all, joint.graph, halt, decide), memory_of(joint, settings));
  }
  if (all.size() > 1) asked.done("decide");
  if (!best) return best;
  best->report.settings.peak_bytes_limit = settings.peak_bytes_limit;
  if (!limit.is_least) best->report.peak_limit->limit_bytes = limit.bytes;
  return best;
}

}  // namespace

Partition partition_within_peak(const JointGraph& joint, const Settings& settings, const PolicyStack& policies,
                                const HaltRequested& halt, const PassDone& done, const std::optional<ForcedTag>& forced) {
  return partition_by_best_means({joint, policies, done, forced}, settings, halt).or_throw();
}

namespace {

// Under which the solver decides in one search, within the saved bytes of the partition.
Settings within_saved_bytes_of(const Report& report, const JointGraph& joint, Settings settings) {
  settings = with_means_of(std::move(settings), report);
  settings.peak_bytes_limit.reset();
  settings.activation_memory_budget_solver = frontier_solver();
  if (joint.step) settings.cse = report.settings.cse;
  if (report.frontier) {
    settings.saved_bytes_limit = limit_of_bytes(report.frontier->limit_bytes);
  } else {  // one of PyTorch's own, which is repaired
    if (settings.sound == Soundness::Own) settings.sound = Soundness::Always;
    settings.activation_memory_budget_solver = {};
    settings.activation_memory_budget = report.memory_budget;
  }
  return settings;
}

}  // namespace

Basis basis_of_comparisons(const JointGraph& joint, const Settings& given, const PolicyStack& policies,
                           const HaltRequested& halt) {
  if (given.peak_bytes_limit) {
    const Partition found = partition_within_peak(joint, given, policies, halt);
    return {given.recompute_again ? given : within_saved_bytes_of(found.report, joint, given), found.decision};
  }
  if (with_and_without_means(joint, given).size() == 1) return {given, nullptr};
  return {with_means_of(given, partition(joint, given, policies, halt).report), nullptr};
}

}  // namespace fxcut
