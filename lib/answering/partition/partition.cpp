// The passes, in order:
//
//   fingerprint       of the graph
//   inline            the bodies of checkpointed regions; with forms of fewer bits, the gradients of ReLUs by booleans
//   match policies    checkpoint names, and the rules that match nodes
//   normalise         dead code, common subexpressions
//   policy            the effects of policies, tags and the operators' properties
//   classify          the side of each node
//   decide            the values to save, by a solver or by the report that is replayed
//   make sound        the values to save in addition
//   extract           the forward's and the backward's part of the graph
//   order             the order in which both run
//   soundness         the values that would differ from the joint graph's
//   finish            random number states, offloading, barriers: the two graphs
//   report, memory    the report, and the memory that the two use while they run
//
// decide() ends with "make sound" (normalise to decide are in decide_by_partitioner.cpp), carry_out() begins with "extract".
#include "partition/partition.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "compress/compress_as_requested.h"
#include "compress/may_be_rounded.h"
#include "cost/size.h"
#include "diagnostic/attempt.h"
#include "inductor/kernel_times.h"
#include "inductor/predict_memory.h"
#include "normalise/inline_checkpoints.h"
#include "normalise/threshold_backward.h"
#include "offload/step_waiting.h"
#include "partition/best_means.h"
#include "partition/decide_by_partitioner.h"
#include "partition/replay.h"
#include "peak/step_simulation.h"
#include "policy/conflicting_limits.h"
#include "policy/partitioner_tags.h"
#include "report/carried_values.h"
#include "report/describe_parts.h"
#include "report/remarks.h"
#include "report/running_graphs.h"
#include "soundness/find_unsound.h"
#include "step/settings_for_step.h"
#include "step/tagged_saved_values.h"
#include "step/whole_step.h"
#include "system/threads.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

// Whether PyTorch's own pass would decide the same (whole steps only).
bool is_decided_by_own_tags(const Decision& decision) {
  return partitioner_of(decision.choice) == Partitioner::Default && decision.policies.empty() &&
         saves_as_tagged(decision.choice, decision.joint, decision.roles);
}

// After what is saved is known: the forms in which policies want it saved.
void compress_by_policies(Decision& decision, bool is_replayed) {
  decision.needs.compresses |= decision.tagged.compresses;
  if (decision.tagged.forms.empty()) return;
  const std::vector<NodeId> crossing = plan(decision).crossing.values;
  if (!is_replayed) decision.needs.compresses |= compress_as_requested(decision.joint, crossing);
  std::ranges::move(warnings_of_requests(decision.joint, crossing, decision.tagged.forms),
                    std::back_inserter(decision.tagged.warnings));
}

Decision decide(JointGraph joint, const Settings& given, const PolicyStack& policies, const PartitionRequest& request) {
  const Settings settings = settings_for(joint, given);
  std::optional<Graph> by_pytorch = rematerialized_by_pytorch(joint, settings);
  const GraphFingerprint fingerprint = request.has_report ? fingerprint_of(joint) : GraphFingerprint();
  check_pass("read", joint.graph);
  request.done("fingerprint");
  joint = decompose_threshold_backward(inline_checkpoints(drop_unknown_tags(std::move(joint))), settings.compress);
  check_pass("inline", joint.graph);
  if (request.replayed) require_same_graph(*request.replayed, fingerprint, joint);
  StorageBytes storages = storage_bytes(joint.graph);
  refuse_conflicting_forms(settings, policies);
  if (settings.compress_errors) require_errors_of_graph(*settings.compress_errors, joint.graph, settings);
  MatchedPolicies matched = match_policies(policies, joint, settings);
  std::ranges::move(settings_without_effect(joint.torch.release, given), std::back_inserter(matched.warnings));
  request.done("match policies");
  Decision decision = decide_by_partitioner(std::move(joint), {{request}, settings, matched, storages, !policies.empty()});
  decision.needs.has_policies = !policies.empty();
  decision.needs.policies_offload = decision.tagged.offloads;
  decision.matched = std::move(matched);
  decision.storages = std::move(storages);
  decision.policies = policies;
  decision.fingerprint = fingerprint;
  decision = make_sound(std::move(decision), settings);
  compress_by_policies(decision, request.replayed != nullptr);
  request.done("make sound");
  if (is_decided_by_own_tags(decision)) decision.by_pytorch = std::move(by_pytorch);
  return decision;
}

Report report_on(const Decision& decision, const Crossing& crossing, const std::vector<CarriedValue>& carried,
                 const Finished& finished, const std::vector<Unsound>& unsound, const Settings& settings) {
  Report report =
      make_report({decision.joint, decision.storages, settings, decision.choice, decision.tagged, decision.matched},
                  crossing, carried, finished, unsound);
  report.fingerprint = decision.fingerprint;
  report.policies = decision.policies;
  return report;
}

// The solver has estimated the waits; the graphs have the actual ones. They differ by no more than rounding, unless a later pass
// changed the decision.
void tell_waiting(FrontierFacts& facts, const Finished& finished, const JointGraph& joint, const Settings& settings) {
  const double waiting = waiting_for_copies_ms(finished.graphs, joint.graph, settings, joint.torch.release) * kPicosecondsPerMs;
  const Int128 more = static_cast<Int128>(std::round(waiting)) - facts.host->waiting;
  const Int128 rounding = 1 + static_cast<Int128>(joint.graph.size());
  if (-rounding <= more && more <= rounding) return;
  facts.host->waiting += more;
  facts.host->waits_longer = more > 0;
  facts.run_cost += more;
  facts.set_bound(facts.bound > facts.run_cost ? 0 : facts.bound);  // a higher one is known to be wrong
}

struct Measured {
  MemoryProfile profile;
  std::optional<Graph> step = {};  // for a whole step; the profile is then the step's
};

Measured measure(const Decision& decision, const Finished& finished, const std::vector<CarriedValue>& carried) {
  const JointGraph& joint = decision.joint;
  if (!joint.step) {
    return {profile_memory(find_lifetimes(finished.graphs, carried, decision.storages, joint.merged_storages))};
  }
  RunStep run = whole_step(joint, finished, carried, decision.storages, decision.by_pytorch);
  return {std::move(run.memory), std::move(run.graph)};
}

bool copies_any(const Finished& finished) {
  return std::ranges::any_of(finished.offloads, [](const OffloadCandidate& one) { return one.refusal == OffloadRefusal::None; });
}

// The two graphs as they are written, and the values that would differ from the joint graph's.
struct Checked {
  Finished finished;
  std::vector<Unsound> unsound;
};

Checked finish_and_check(const Decision& decision, const ForwardBackward& sides, const Settings& settings,
                         const PassDone& done) {
  Ordered ordered = order(sides, decision.joint, settings, decision.needs);
  done("order");
  std::vector<Unsound> unsound = find_unsound(decision.joint, sides, ordered.graphs);
  done("soundness");
  Finished finished = finish(std::move(ordered), sides, decision.joint, settings, decision.needs);
  if (copies_any(finished)) unsound = find_unsound(decision.joint, sides, finished.graphs);
  return {std::move(finished), std::move(unsound)};
}

bool must_be_sound(const Decision& decision, const Settings& settings) {
  return settings.sound == Soundness::Always && !decision.choice.decided_by<ByOther>();
}

Failure cannot_be_sound(const Graph& joint, const Unsound& one) {
  return Failure(ExitStatus::NoPartition,
                 "found no partition that computes the same values as the joint graph: " + describe(joint, one),
                 "clone in the graph what the forward overwrites and the backward reads; or decide without --sound (sound=own), "
                 "for a warning");
}

Partition finish_and_report(const Decision& decision, const ForwardBackward& sides, const Settings& settings,
                            const PassDone& done) {
  const JointGraph& joint = decision.joint;
  auto [finished, unsound] = finish_and_check(decision, sides, settings, done);
  if (!unsound.empty() && must_be_sound(decision, settings)) throw cannot_be_sound(joint.graph, unsound.front());
  check_pass("finish (forward)", finished.graphs.forward);
  check_pass("finish (backward)", finished.graphs.backward);
  done("finish");
  const std::vector<CarriedValue> carried = carried_values(joint, sides.crossing, finished);
  auto [report, memory] = at_once(
      joint.graph.size(), [&] { return report_on(decision, sides.crossing, carried, finished, unsound, settings); },
      [&] { return measure(decision, finished, carried); });
  if (report.frontier && report.frontier->host) tell_waiting(*report.frontier, finished, joint, settings);
  const RunningGraphs running = memory.step ? RunningGraphs(*memory.step) : RunningGraphs(finished.graphs);
  report.memory = describe_memory(memory.profile, running);
  if (memory.step) report.step = describe_step(joint.step->graph, *memory.step, memory.profile);
  const std::optional<PredictedCode> code = code_if_asked_for(finished.graphs, joint, settings);
  std::optional<PredictedMemory> compiled;
  if (code) {
    compiled = predict_memory(*code, finished.graphs, HeldBuffers::Listed);
    report.memory.compiled = describe_predicted_memory(*compiled, finished.graphs);
  }
  const StepTime time = step_time(finished.graphs, code, device_of(settings, joint.graph).profile);
  report.run_time->step_ms = time.ms;
  report.run_time->launch_ms = time.launch_ms;
  report.remarks = remarks_on(report, joint.graph);
  describe_search(report);
  done("report and memory");
  return {std::move(finished.graphs), std::move(finished.subgraphs), std::move(report), std::move(memory.profile),
          std::move(compiled), {}, {}, std::move(memory.step)};
}

// Tags the random calls that the backward recomputes, so that the state of their generator is saved.
void tag_replayed_random(Decision& decision, const Analysis& analysis, const ForwardBackward& sides, const Report& replayed) {
  for (const NodeId id : random_states_to_save(analysis, sides, replayed)) {
    Node& node = decision.joint.graph[id];
    if (!node.must_recompute()) node.meta.recompute = CheckpointPolicy::PreferRecompute;
    decision.needs.has_random_regions = true;
  }
}

Partition decide_and_carry_out(JointGraph joint, const Settings& settings, const PolicyStack& policies,
                               const PartitionRequest& request) {
  const auto decision = std::make_shared<const Decision>(decide(std::move(joint), settings, policies, request));
  Partition result = carry_out(*decision, settings, request.done);
  result.decision = decision;
  return result;
}

}  // namespace

Decision decide(JointGraph joint, const Settings& settings, const PolicyStack& policies, const HaltRequested& halt) {
  return decide(std::move(joint), settings, policies, PartitionRequest{.halt = halt});
}

Partition carry_out(const Decision& decision, const Settings& given, const PassDone& done) {
  const Settings settings = settings_for(decision.joint, given);
  const auto sides = std::make_shared<const ForwardBackward>(plan(decision));
  done("extract");
  Partition result = finish_and_report(decision, *sides, settings, done);
  result.sides = sides;
  return result;
}

Partition partition(JointGraph joint, const Settings& settings, const PolicyStack& policies, const HaltRequested& halt,
                    const PassDone& done, const std::optional<ForcedTag>& forced) {
  const std::vector<Settings> all =
      settings.saved_bytes_limit ? with_and_without_means(joint, settings) : std::vector<Settings>{settings};
  if (all.size() == 1) {
    return decide_and_carry_out(std::move(joint), settings, policies,
                                PartitionRequest{.halt = halt, .done = done, .forced = forced});
  }
  Attempt<Partition> best = best_by_means(all, joint.graph, halt, [&](const Settings& one, const HaltRequested& halt_one) {
    const PartitionRequest request{.halt = halt_one, .forced = forced};
    return attempt([&] { return decide_and_carry_out(joint, one, policies, request); });
  });
  done("decide");
  return std::move(best).or_throw();
}

DecisionEffect weigh(JointGraph joint, const Settings& given, const PolicyStack& policies, const HaltRequested& halt) {
  const Decision decision = decide(std::move(joint), given, policies, PartitionRequest{.halt = halt, .has_report = false});
  const Settings settings = settings_for(decision.joint, given);
  const ForwardBackward sides = plan(decision);
  const auto [finished, unsound] = finish_and_check(decision, sides, settings, kNoProgress);
  DecisionEffect effect = effect_of(decision.joint, decision.storages, sides.crossing, finished, settings, unsound,
                                    limits_count_forms(settings, policies));
  const std::optional<PredictedCode> code = code_if_asked_for(finished.graphs, decision.joint, settings);
  effect.step_ms = step_time(finished.graphs, code, device_of(settings, decision.joint.graph).profile).ms;
  return effect;
}

Partition partition_within_code(JointGraph joint, const Settings& settings, const PolicyStack& policies,
                                const HaltRequested& halt, const CompiledPeakRequest& request, const PassDone& done,
                                const std::optional<ForcedTag>& forced) {
  return decide_and_carry_out(std::move(joint), settings, policies,
                              PartitionRequest{.halt = halt, .done = done, .forced = forced, .compiled = &request});
}

Partition partition_keeping(JointGraph joint, const Settings& settings, const PolicyStack& policies, const KeptStorages& kept,
                            const FrontierFacts& facts) {
  const KeptChoice choice{kept, facts};
  return decide_and_carry_out(std::move(joint), settings, policies, PartitionRequest{.kept = &choice});
}

Partition replay(JointGraph joint, const Report& replayed, const PassDone& done) {
  const Settings& settings = replayed.settings;
  Decision decision =
      decide(std::move(joint), settings, replayed.policies, PartitionRequest{.done = done, .replayed = &replayed});
  const ForwardBackward sides = plan(decision);
  done("extract");
  const std::vector<std::int64_t> no_distance;  // it matters to the cost of a decision, not to its soundness
  const Analysis analysis{decision.joint, decision.users, decision.roles, no_distance, settings};
  tag_replayed_random(decision, analysis, sides, replayed);
  Partition result = finish_and_report(decision, sides, settings, done);
  refuse_wrong_recomputing(analysis, result.report, replayed);
  restore_reasons(result.report, replayed);
  return result;
}

}  // namespace fxcut
