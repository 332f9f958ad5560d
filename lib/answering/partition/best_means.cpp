#include "partition/best_means.h"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

#include "partition/search_facts.h"
#include "report/describe_parts.h"
#include "settings/memory_limit.h"
#include "system/threads.h"

namespace fxcut {
namespace {

using DecideOne = std::function<Attempt<Partition>(const Settings&)>;

Settings without_copies(Settings settings) {
  settings.offload = Offload::Marked;
  return settings;
}

Settings without_forms(Settings settings) {
  settings.compress = Compress::None;
  settings.compress_classes.clear();
  settings.compress_error.reset();
  settings.compress_errors.reset();
  return settings;
}

Settings without_drops(Settings settings) {
  settings.recompute_again = false;
  return settings;
}

// Whether the two are searched for on different graphs, so that neither search is for the decisions of the other.
bool are_of_two_kinds(const Settings& first, const Settings& second, const Graph& graph) {
  const auto is_relu_gradient = [](const Node& node) { return node.calls("aten.threshold_backward.default"); };
  return first.compress != second.compress && std::ranges::any_of(graph.nodes, is_relu_gradient);
}

// What a limit of `least` minimises.
Int128 limited_bytes(const Report& report) {
  if (report.peak_limit) return report.peak_limit->limit_bytes;
  const bool is_least = report.settings.saved_bytes_limit && report.settings.saved_bytes_limit->is_least;
  return is_least && report.frontier ? report.frontier->saved_bytes : Int128{0};
}

// The one that takes less memory, if that is what the limit asks for, and of two that take the same the cheaper one.
// `is_among_first`: what is proven of the first holds for all decisions that the second is the best of.
Attempt<Partition> better_of(Attempt<Partition> first, Attempt<Partition> second, bool is_among_first) {
  if (!first && !second) return first;
  if (!first || !second) {  // nothing is proven about those of which none was found
    const bool is_proven_of_all = first && is_among_first;
    Attempt<Partition> only = std::move(first ? first : second);
    if (!is_proven_of_all) forget_bound(only->report);
    return only;
  }
  const auto rank = [](const Partition& partition) {
    return std::pair(limited_bytes(partition.report), compared_cost(partition));
  };
  const bool is_second = rank(*second) < rank(*first);
  const Report& other = (is_second ? first : second)->report;
  Partition chosen = *std::move(is_second ? second : first);
  if (chosen.report.peak_limit) chosen.report.peak_limit->tried += other.peak_limit->tried;
  if (!is_among_first) weaken_bound(chosen.report, other);
  else if (is_second) take_bound(chosen.report, other);
  if (uncounted_waiting(chosen) > 0) forget_bound(chosen.report);  // of a cost that leaves these out
  return chosen;
}

constexpr std::int64_t kStepsWithFewerCopies = 60'000'000;  // of work (frontier/work_budget.h): a fifth of a second

void limit_copies(Settings& settings, std::int64_t bytes) {
  settings.host_bytes_limit = limit_of_bytes(bytes);
  if (settings.budget_search_steps == 0) settings.budget_search_steps = kStepsWithFewerCopies;
}

// With fewer copies where these wait longer in the graphs than the solver counted: limits of what the host takes.
std::vector<Settings> with_fewer_copies(const Settings& settings, const Report& found) {
  std::vector<Settings> fewer;
  if (!settings.saved_bytes_limit || !found.frontier || !found.frontier->host) return fewer;
  const HostFacts& host = *found.frontier->host;
  if (!host.waits_longer) return fewer;
  for (const int part : {2, 4, 8}) {
    if (host.bytes >= part) limit_copies(fewer.emplace_back(settings), host.bytes / part);
  }
  return fewer;
}

Attempt<Partition> best_of(std::span<const Settings> all, const Graph& graph, const DecideOne& decide) {
  if (all.size() == 1) return decide(all.front());
  const std::size_t half = all.size() / 2;
  auto [first, second] = at_once(  // a search is worth a thread on any graph
      kNodesWorthAThread, [&] { return best_of(all.first(half), graph, decide); },
      [&] { return best_of(all.subspan(half), graph, decide); });
  return better_of(std::move(first), std::move(second), !are_of_two_kinds(all.front(), all[half], graph));
}

// One of the searches was cut short, perhaps not the one whose decision is the best.
void note_halt(Report& report, Halt why) {
  if (why == Halt::No || !report.frontier || report.frontier->is_proven) return;
  const EndedBy before = std::exchange(report.frontier->ended_by, why == Halt::TimeIsUp ? EndedBy::Time : EndedBy::Interrupt);
  if (before != report.frontier->ended_by) describe_search(report);
}

}  // namespace

Settings with_means_of(Settings settings, const Report& report) {
  const bool copies = report.frontier && report.frontier->host;
  if (settings.offload == Offload::Auto && !copies) settings = without_copies(std::move(settings));
  if (report.settings.compress == Compress::None) settings = without_forms(std::move(settings));
  if (copies && report.frontier->host->found_within) limit_copies(settings, *report.frontier->host->found_within);
  return settings;
}

std::vector<Settings> with_and_without_means(const JointGraph& joint, const Settings& settings) {
  std::vector<Settings> all = {settings};
  const auto add = [&](bool is_mean, Settings (*without)(Settings)) {
    for (std::size_t i = 0, count = is_mean ? all.size() : 0; i < count; ++i) all.push_back(without(all[i]));
  };
  if (!settings.saved_bytes_limit && !settings.peak_bytes_limit) return all;
  const bool is_left_to_steps = joint.step && settings.peak_bytes_limit;  // step_peak_search.h
  add(settings.offload == Offload::Auto && !is_left_to_steps, without_copies);
  add(settings.recompute_again && !joint.step, without_drops);
  add(settings.compress != Compress::None, without_forms);
  return all;
}

Attempt<Partition> best_by_means(const std::vector<Settings>& all, const Graph& graph, const HaltRequested& halt,
                                 const DecideUnder& decide) {
  if (all.size() == 1) return decide(all.front(), halt);
  std::mutex asking;
  const HaltRequested halt_any = [&] {
    const std::scoped_lock one_at_a_time(asking);
    return halt();
  };
  const DecideOne decide_once = [&](const Settings& one) { return decide(one, halt_any); };
  const DecideOne decide_one = [&](const Settings& one) {
    Attempt<Partition> found = decide_once(one);
    const std::vector<Settings> fewer = found ? with_fewer_copies(one, found->report) : std::vector<Settings>();
    return fewer.empty() ? std::move(found) : better_of(std::move(found), best_of(fewer, graph, decide_once), true);
  };
  Attempt<Partition> best = best_of(all, graph, decide_one);
  if (!best) return best;
  const std::optional<MemoryLimit>& host_limit = best->report.settings.host_bytes_limit;
  const bool has_fewer = host_limit != all.front().host_bytes_limit && best->report.frontier && best->report.frontier->host;
  if (has_fewer) best->report.frontier->host->found_within = host_limit->bytes;
  best->report.settings.offload = all.front().offload;
  best->report.settings.host_bytes_limit = all.front().host_bytes_limit;
  best->report.settings.budget_search_steps = all.front().budget_search_steps;
  best->report.settings.recompute_again = all.front().recompute_again;
  note_halt(best->report, halt());
  return best;
}

}  // namespace fxcut
