#include "pipeline/peak_search.h"

#include <functional>
#include <optional>
#include <utility>
#include <variant>

#include "diagnostic/diagnostic.h"
#include "pipeline/compiled_peak_search.h"
#include "pipeline/search_facts.h"
#include "pipeline/step_peak_search.h"
#include "settings/memory_limit.h"
#include "solve/budget_solvers.h"
#include "step/settings_for_step.h"

namespace fxcut {
namespace {

constexpr int kMaxCorrections = 4;

// The bytes of the peak above the limit; 0 if it is met, or the lowest peak is requested.
std::int64_t excess(const Partition& partition, const MemoryLimit& limit) {
  const Wide peak = partition.memory.peak_bytes();
  return limit.is_least || peak <= limit.bytes ? 0 : static_cast<std::int64_t>(peak - limit.bytes);
}

struct Met {
  Partition partition;
  int corrections = 0;  // of the limit that the decision was made for
};

Met meet(const JointGraph& joint, const Settings& settings, const PolicyStack& policies, const HaltRequested& halt,
         const StageDone& done) {
  const MemoryLimit limit = *settings.peak_bytes_limit;
  Settings within = settings;
  within.activation_memory_budget_solver = frontier_solver();
  Met met{partition(joint, within, policies, halt, done)};
  Partition& found = met.partition;
  while (excess(found, limit) > 0 && met.corrections < kMaxCorrections) {
    const std::int64_t bytes = within.peak_bytes_limit->bytes - excess(found, limit);
    if (bytes < 0 || !found.report.peak_limit) break;
    within.peak_bytes_limit = limit_of_bytes(bytes);
    found = partition(joint, within, policies, halt, done);
    ++met.corrections;
  }
  if (excess(found, limit) > 0) throw above_limit(found.report.memory, limit);
  return met;
}

// A correction may cost more than copies to the host gain: then they are left out.
Partition meet_with_copies(const JointGraph& joint, const Settings& settings, const PolicyStack& policies,
                           const HaltRequested& halt, const StageDone& done) {
  std::optional<Met> copying, alone;
  std::optional<Failure> failure;
  const auto try_to = [&](const Settings& given) -> std::optional<Met> {
    try {
      return meet(joint, given, policies, halt, done);
    } catch (const Failure& unmet) {
      if (unmet.status() != ExitStatus::NoPartition) throw;
      if (!failure) failure = unmet;
      return std::nullopt;
    }
  };
  copying = try_to(settings);
  if (copying && copying->corrections == 0) return std::move(copying->partition);
  Settings without = settings;
  without.offload = Offload::Marked;
  alone = try_to(without);
  if (!copying && !alone) throw *failure;
  if (!copying || !alone) return std::move((copying ? copying : alone)->partition);
  const auto time = [](const Met& met) {
    const auto& facts = met.partition.report.frontier;
    return facts ? facts->run_cost : Wide{0};
  };
  return std::move((time(*alone) < time(*copying) ? alone : copying)->partition);
}

Partition partition_within_operator_peak(const JointGraph& joint, const Settings& settings, const PolicyStack& policies,
                                    const HaltRequested& halt, const StageDone& done) {
  Settings by_frontier = settings;
  by_frontier.activation_memory_budget_solver = frontier_solver();
  const auto decide = [&](const Settings& given) { return partition(joint, given, policies, halt, done); };
  Partition found = joint.step                          ? step_within_peak(by_frontier, decide)
                    : settings.offload == Offload::Auto ? meet_with_copies(joint, settings, policies, halt, done)
                                                        : meet(joint, settings, policies, halt, done).partition;
  if (!found.report.peak_limit) found.report.peak_limit = PeakLimitFacts{0, 1, std::nullopt};  // nothing to decide
  return found;
}

// Units of work as frontier/effort.h counts it: a tenth of a second on a core of 2023.
constexpr std::int64_t kQuickSteps = 30'000'000;

// Limits the work, unless the settings already do.
Settings quick(Settings settings) {
  if (settings.budget_search_steps == 0) settings.budget_search_steps = kQuickSteps;
  return settings;
}

using SearchByCode = std::function<Partition(const Settings&, Spread, const MemoryLimit&)>;

// nullopt if no decision within the limit is found and there is time to search on.
std::optional<Partition> search_if_met(const Settings& settings, Spread spread, const MemoryLimit& limit,
                                       const HaltRequested& halt, const SearchByCode& search) {
  try {
    return search(settings, spread, limit);
  } catch (const Failure& unmet) {
    if (unmet.status() != ExitStatus::NoPartition || halt() != Halt::No) throw;
    return std::nullopt;
  }
}

// The decision with the lowest peak, if that is within the limit: so only limits below the lowest peak are refused.
Partition lowest_if_within(const Settings& settings, const MemoryLimit& limit, const SearchByCode& search) {
  Partition lowest = search(settings, Spread::Few, MemoryLimit{true, 0, "least"});
  Report& report = lowest.report;
  const PredictedMemoryReport& compiled = *report.memory.compiled;
  if (compiled.peak_bytes > limit.bytes) throw above_limit_compiled(limit, compiled);
  const std::optional<Wide> floor = report.peak_limit->floor_bytes;
  if (compiled.peak_bytes < limit.bytes) forget_bound(report);  // proven for another limit
  report.peak_limit->floor_bytes = floor;
  return lowest;
}

// What `search` finds with these settings: first with many decisions of little work each, which are enough to start another
// search from; failing that, with a few of full work; finally, the lowest of all.
Partition quickly_or_not(const Settings& settings, const MemoryLimit& limit, const HaltRequested& halt,
                         const SearchByCode& search) {
  if (settings.budget_search_steps != 0 || limit.is_least) return search(settings, Spread::Few, limit);
  std::optional<Partition> found = search_if_met(quick(settings), Spread::Many, limit, halt, search);
  if (!found) found = search_if_met(settings, Spread::Few, limit, halt, search);
  return found ? *std::move(found) : lowest_if_within(settings, limit, search);
}

// The search by the code's peak; empty where it cannot try the decisions: copies that the solver places, drops, whole steps.
SearchNear search_near(const JointGraph& joint, Settings settings, const PolicyStack& policies, const HaltRequested& halt,
                       const StageDone& done) {
  if (settings.offload == Offload::Auto || settings.recompute_again || joint.step) return {};
  settings.activation_memory_budget_solver = frontier_solver();
  return [&joint, settings = std::move(settings), &policies, &halt, &done](const CompiledPeakSearch& search) {
    if (halt() != Halt::No) throw Failure(ExitStatus::NoPartition, "there is no time to continue the search", "");
    Partition found = partition_within_code(joint, settings, policies, halt, search, done);
    if (!found.report.peak_limit) throw Failure(ExitStatus::NoPartition, "there is nothing to decide", "");
    return found;
  };
}

// With or without copies, as the settings say.
Partition partition_as_set(const JointGraph& joint, const Settings& given, const PolicyStack& policies,
                           const HaltRequested& halt, const StageDone& done) {
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
    return partition_within_operator_peak(joint, within, policies, halt, done);
  };
  const SearchNear near = search_near(joint, settings, policies, halt, done);
  const auto within_peak_of_code = [&](const Settings& initial, Spread spread, const MemoryLimit& of_code) {
    const auto decide = [&](const MemoryLimit& of_operators) {
      const bool is_above_lowest = of_code.is_least && !of_operators.is_least;  // less than the best is enough to go on from
      return within_operator_peak(is_above_lowest ? quick(initial) : initial, of_operators);
    };
    return partition_within_compiled_peak(of_code, decide, near, spread, halt);
  };
  Partition found = !compiled ? within_operator_peak(settings, limit)
                    : near    ? quickly_or_not(settings, limit, halt, within_peak_of_code)
                              : within_peak_of_code(settings, Spread::Few, limit);
  if (joint.step) {  // the step may have been decided with other settings
    settings.cse = found.report.settings.cse;
    settings.partitioner = found.report.settings.partitioner;
  }
  found.report.settings = settings;
  found.report.settings.activation_memory_budget_solver = frontier_solver();
  // The proof is for the operators of one graph whose values are kept or recomputed, not copied.
  if (joint.step || settings.offload == Offload::Auto) found.report.peak_limit->floor_bytes.reset();
  const Wide lowest = compiled ? found.report.memory.compiled->peak_bytes : found.memory.peak_bytes();
  found.report.peak_limit->limit_bytes = limit.is_least ? lowest : Wide{limit.bytes};
  return found;
}

// The failure if no decision keeps to the limit.
std::variant<Partition, Failure> try_within_peak(const JointGraph& joint, const Settings& settings, const PolicyStack& policies,
                                                 const HaltRequested& halt, const StageDone& done) {
  try {
    return partition_as_set(joint, settings, policies, halt, done);
  } catch (const Failure& failure) {
    if (failure.status() != ExitStatus::NoPartition) throw;
    return failure;
  }
}

}  // namespace

Partition partition_within_peak(const JointGraph& joint, const Settings& settings, const PolicyStack& policies,
                                const HaltRequested& halt, const StageDone& done) {
  const bool copies = settings.offload == Offload::Auto && !joint.step;
  if (!copies || memory_of(joint, settings) != MemoryOf::Compiled) return partition_as_set(joint, settings, policies, halt, done);
  // Only decisions without copies are searched for by the code's own peak: one of these may be faster.
  Settings without = settings;
  without.offload = Offload::Marked;
  auto copying = try_within_peak(joint, settings, policies, halt, done);
  auto alone = try_within_peak(joint, without, policies, halt, done);
  auto *with_copies = std::get_if<Partition>(&copying), *with_none = std::get_if<Partition>(&alone);
  if (!with_copies && !with_none) throw std::get<Failure>(copying);
  if (with_copies && (!with_none || compared_cost(*with_copies) <= compared_cost(*with_none))) return std::move(*with_copies);
  with_none->report.settings.offload = settings.offload;
  return std::move(*with_none);
}

Settings without_peak_limit(const JointGraph& joint, Settings settings, const PolicyStack& policies,
                            const HaltRequested& halt) {
  if (!settings.peak_bytes_limit || settings.recompute_again) return settings;  // recomputing again needs more than saved bytes
  const Report report = partition_within_peak(joint, settings, policies, halt).report;
  settings.peak_bytes_limit.reset();
  settings.activation_memory_budget_solver = frontier_solver();
  if (joint.step) settings.cse = report.settings.cse;
  if (report.frontier) settings.saved_bytes_limit = limit_of_bytes(report.frontier->limit_bytes);
  return settings;
}

}  // namespace fxcut
