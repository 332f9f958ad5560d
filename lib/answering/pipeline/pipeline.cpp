#include "pipeline/pipeline.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "classify/functional.h"
#include "cost/storage.h"
#include "extract/forward_backward.h"
#include "extract/roles.h"
#include "finish/finish.h"
#include "frontier/frontier.h"
#include "frontier/save_within_limit.h"
#include "memory/memory_profile.h"
#include "normalise/common_subexpressions.h"
#include "normalise/dead_code.h"
#include "normalise/inline_checkpoints.h"
#include "policy/budget.h"
#include "policy/consult_policies.h"
#include "policy/recompute_tags.h"
#include "policy/resolve_policies.h"
#include "replay/recomputing.h"
#include "replay/replayed_values.h"
#include "replay/restate.h"
#include "replay/same_graph.h"
#include "report/carried_values.h"
#include "report/describe_memory.h"
#include "report/describe_search.h"
#include "solve/default_saved_values.h"
#include "solve/saved_values.h"
#include "soundness/find_repair.h"
#include "soundness/find_unsound.h"
#include "system/at_once.h"

namespace fxcut {
namespace {

// What the user asks for. `wanted` holds once the policies have tagged the graph.
struct Asked {
  const HaltAsked& halt = kNeverHalt;
  const StageDone& done = kTellNobody;
  std::optional<ForcedTag> forced = std::nullopt;
  const Report* replayed = nullptr;  // whose decision it is; null where one is to be found
  std::optional<std::size_t> pytorchs_choice = std::nullopt;  // that is to be taken, where the frontier solver decides
};

// The same with what the stages share. `wanted` holds once the policies have tagged the graph.
struct Request : Asked {
  Request(const Asked& asked, const Settings& of_run, const Consultation& listened, const StorageBytes& of_graph)
      : Asked(asked), settings(of_run), said(listened), storages(of_graph) {}

  const Settings& settings;
  const Consultation& said;
  const StorageBytes& storages;  // of the graph as it was read
  std::optional<PolicyOutcome> wanted = std::nullopt;
};

void force_tag(JointGraph& joint, const ForcedTag& forced, PolicyOutcome& wanted) {
  for (Node& node : joint.graph.nodes) {
    if (node.name != forced.node) continue;
    node.meta.recompute = forced.tag;
    // PyTorch saves no view for its tag.
    node.meta.kept_part = forced.tag == CheckpointPolicy::MustSave && node.is_call() && node.callee->is(Operator::View);
  }
  wanted.reasons.erase(forced.node);
}

void tag_by_policies(JointGraph& joint, Request& request) {
  if (request.wanted) return;
  request.wanted = apply_policies(joint, request.said, request.settings);
  if (request.forced) force_tag(joint, *request.forced, *request.wanted);
  if (request.replayed) request.wanted->offloads |= mark_offloaded(joint, *request.replayed);
}

FinishingNeeds needs_of(const Graph& graph, Partitioner partitioner) {
  return {partitioner, has_recomputable_ops(graph), has_recomputable_rng_ops(graph), false};
}

// PyTorch's default_partition up to its decision.
Decision decide_by_default(JointGraph joint, Request request) {
  const Settings& settings = request.settings;
  tag_by_policies(joint, request);
  FinishingNeeds needs = needs_of(joint.graph, Partitioner::Default);
  Users users(joint.graph);
  resolve_recompute_tags(joint, users, settings, Partitioner::Default);
  Roles roles = classify(joint, users);
  request.done("classify");
  needs.backward_is_empty = roles.backward_is_empty;
  SavedValues choice =
      request.replayed
          ? replayed_values(joint, roles.tangents_closure, *request.replayed, Partitioner::Default)
          : default_saved_values(joint, users, needs.has_regions);
  request.done("decide");
  return {std::move(joint), std::move(users), std::move(roles), std::move(choice), needs, std::move(*request.wanted)};
}

SavedValues decide_saved_values(const Analysis& analysis, const Request& request) {
  if (request.replayed) {
    return replayed_values(analysis.joint, analysis.roles.tangents_closure, *request.replayed, Partitioner::MinCut);
  }
  const double budget = resolve_budget(analysis.joint, analysis.roles, analysis.settings);
  if (!wants_frontier(analysis.settings, budget)) return choose_saved_values(analysis, budget);
  SavedValues choice =
      request.pytorchs_choice
          ? save_as_pytorch(analysis, request.storages, *request.pytorchs_choice)
          : save_within_limit(analysis, request.storages, limit_of(analysis, request.storages, budget),
                              search_limits(analysis.settings, request.halt));
  choice.budget = budget;
  return choice;
}

// The graph as the min cut decides on it.
struct Prepared {
  JointGraph joint;
  Users users;
  Roles roles;
  FinishingNeeds needs;
};

Prepared prepare(JointGraph joint, Request& request) {
  const Settings& settings = request.settings;
  // Normalise: only what matters, each thing once.
  joint = eliminate_dead_code(std::move(joint));
  if (settings.cse) joint = merge_common_subexpressions(std::move(joint));
  request.done("normalise");

  // Policy: what the user's policies and tags and the operators' nature force.
  tag_by_policies(joint, request);
  FinishingNeeds needs = needs_of(joint.graph, Partitioner::MinCut);
  Users users(joint.graph);
  resolve_recompute_tags(joint, users, settings, Partitioner::MinCut);
  request.done("policy");

  // Classify: who needs what. From here on the joint graph does not change.
  Roles roles = classify(joint, users);
  return {std::move(joint), std::move(users), std::move(roles), needs};
}

// PyTorch's min_cut_rematerialization_partition up to its decision, where there is a backward; where it is empty, there
// is nothing to cut, and what is left is for another to decide.
std::variant<Decision, JointGraph> cut(JointGraph given, Request& request) {
  auto [joint, users, roles, needs] = prepare(std::move(given), request);
  if (roles.backward_is_empty) return std::move(joint);
  const std::vector<std::int64_t> distance = distance_from_backward(joint.graph, users, roles);
  request.done("classify");

  // Decide: the values to save.
  const Analysis analysis{joint, users, roles, distance, request.settings};
  SavedValues choice = decide_saved_values(analysis, request);
  if (choice.frontier) needs.has_random_regions |= tag_recomputed_random(joint, choice);
  request.done("decide");
  return Decision{std::move(joint), std::move(users), std::move(roles), std::move(choice), needs,
                  std::move(*request.wanted)};
}

Decision decide_by_min_cut(JointGraph joint, Request request) {
  std::optional<std::size_t> recomputable;  // how many tags the last round has left
  while (true) {
    auto decided = cut(std::move(joint), request);
    if (auto* decision = std::get_if<Decision>(&decided)) return std::move(*decision);
    joint = std::get<JointGraph>(std::move(decided));
    if (!must_fall_back_to_min_cut(joint)) return decide_by_default(std::move(joint), std::move(request));
    if (recomputable == count_recomputable_ops(joint.graph)) throw neither_partitioner_decides(joint);
    recomputable = count_recomputable_ops(joint.graph);
  }
}

Decision decide_as_asked(JointGraph joint, Request request) {
  if (request.settings.partitioner == Partitioner::MinCut) {
    return decide_by_min_cut(std::move(joint), std::move(request));
  }
  tag_by_policies(joint, request);
  return must_fall_back_to_min_cut(joint) ? decide_by_min_cut(std::move(joint), std::move(request))
                                          : decide_by_default(std::move(joint), std::move(request));
}

ForwardBackward plan(const Decision& decision) {
  try {
    return plan_forward_backward(decision.joint, decision.users, decision.roles, decision.choice.saved);
  } catch (const Failure& failure) {
    if (!decision.choice.is_replayed) throw;
    throw saves_too_little(failure);
  }
}

void tag_replayed_random(Decision& decision, const Analysis& analysis, const ForwardBackward& sides,
                         const Report& replayed) {
  for (const NodeId id : random_states_to_save(analysis, sides, replayed)) {
    Node& node = decision.joint.graph[id];
    if (!node.must_recompute()) node.meta.recompute = CheckpointPolicy::PreferRecompute;
    decision.needs.has_random_regions = true;
  }
}

bool is_mended(const Decision& decision, const Settings& settings) {
  const bool is_own = decision.choice.frontier.has_value();
  return settings.sound == Soundness::Always || (settings.sound == Soundness::Own && is_own);
}

// Saves besides what a repair asks for; returns whether any of it is new.
bool mend(Decision& decision, const Repair& repair) {
  SavedValues& choice = decision.choice;
  bool any = false;
  for (const NodeId id : repair.saved) {
    if (!choice.mended.insert(id).second) continue;
    choice.saved.push_back(id);
    any = true;
  }
  if (!choice.saves_inputs) std::sort(choice.saved.begin(), choice.saved.end());
  for (const NodeId id : repair.states) {
    if (!choice.states.insert(id).second) continue;
    decision.joint.graph[id].meta.recompute = CheckpointPolicy::PreferRecompute;
    decision.needs.has_random_regions = any = true;
  }
  return any;
}

// Saves more until what the partition computes is what the joint graph does, or saving mends nothing more.
Decision make_sound(Decision decision, const Settings& settings) {
  if (!has_hazards(decision.joint)) return decision;
  while (true) {
    const ForwardBackward sides = plan(decision);
    const Ordered ordered = order(sides, decision.joint, settings, decision.needs);
    const std::vector<Unsound> unsound = find_unsound(decision.joint, sides, ordered.graphs);
    if (!mend(decision, find_repair(decision.joint, decision.roles, sides, unsound, settings))) return decision;
  }
}

// The first half of a partition: what is saved and why, by a solver or by the report that is replayed.
Decision decide(JointGraph joint, const Settings& settings, const PolicyStack& policies, const Asked& asked) {
  const GraphFingerprint fingerprint = fingerprint_of(joint);
  asked.done("fingerprint");
  joint = inline_checkpoints(std::move(joint));
  if (asked.replayed) require_same_graph(*asked.replayed, fingerprint, joint);
  StorageBytes storages = storage_bytes(joint.graph);

  // Listen: what the user calls the values, and what the policies say of the nodes.
  Consultation said = consult(policies, joint, settings);
  asked.done("listen");

  // Normalise, classify and decide, as one of PyTorch's partitioners does.
  Decision decision = decide_as_asked(std::move(joint), Request(asked, settings, said, storages));
  decision.needs.has_policies = !policies.empty();
  decision.needs.policies_offload = decision.wanted.offloads;
  decision.said = std::move(said);
  decision.storages = std::move(storages);
  decision.policies = policies;
  decision.fingerprint = fingerprint;
  if (!asked.replayed && is_mended(decision, settings)) decision = make_sound(std::move(decision), settings);
  return decision;
}

Report report_on(const Decision& decision, const Crossing& crossing, const std::vector<CarriedValue>& carried,
                 const Finished& finished, const std::vector<Unsound>& unsound, const Settings& settings) {
  Report report =
      make_report({decision.joint, decision.storages, settings, decision.choice, decision.wanted, decision.said},
                  crossing, carried, finished, unsound);
  report.fingerprint = decision.fingerprint;
  report.policies = decision.policies;
  return report;
}

// The second half: the two graphs that run, what they take of memory while they do, and the report on it all.
Partition finish_and_report(const Decision& decision, const ForwardBackward& sides, const Settings& settings,
                            const StageDone& done) {
  const JointGraph& joint = decision.joint;
  Ordered ordered = order(sides, joint, settings, decision.needs);
  done("order");
  const std::vector<Unsound> unsound = find_unsound(joint, sides, ordered.graphs);
  done("soundness");
  Finished finished = finish(std::move(ordered), sides, joint, settings, decision.needs);
  done("finish");
  const std::vector<CarriedValue> carried = carried_values(joint, sides.crossing, finished);
  auto [report, memory] = at_once(
      joint.graph.size(), [&] { return report_on(decision, sides.crossing, carried, finished, unsound, settings); },
      [&] {
        return profile_memory(find_lifetimes(finished.graphs, carried, decision.storages, joint.merged_storages));
      });
  report.memory = describe_memory(memory, finished.graphs);
  describe_search(report);
  done("report and memory");
  return {std::move(finished.graphs), std::move(finished.subgraphs), std::move(report), std::move(memory), {}};
}

}  // namespace

Decision decide(JointGraph joint, const Settings& settings, const PolicyStack& policies, const HaltAsked& halt,
                const std::optional<ForcedTag>& forced) {
  return decide(std::move(joint), settings, policies, Asked{.halt = halt, .forced = forced});
}

Partition carry_out(const Decision& decision, const Settings& settings, const StageDone& done) {
  // Extract and finish: two graphs that run.
  const ForwardBackward sides = plan(decision);
  done("extract");
  return finish_and_report(decision, sides, settings, done);
}

Partition partition(JointGraph joint, const Settings& settings, const PolicyStack& policies, const HaltAsked& halt,
                    const StageDone& done) {
  const auto decision = std::make_shared<const Decision>(
      decide(std::move(joint), settings, policies, Asked{.halt = halt, .done = done}));
  Partition result = carry_out(*decision, settings, done);
  result.decision = decision;
  return result;
}

std::optional<Partition> partition_by_pytorchs_choice(JointGraph joint, const Settings& settings,
                                                      const PolicyStack& policies, std::size_t place) {
  try {
    return carry_out(decide(std::move(joint), settings, policies, Asked{.pytorchs_choice = place}), settings);
  } catch (const Failure& failure) {
    if (failure.status() != ExitStatus::NoPartition) throw;
    return std::nullopt;
  }
}

Partition replay(JointGraph joint, const Report& replayed, const StageDone& done) {
  const Settings& settings = replayed.settings;
  Decision decision =
      decide(std::move(joint), settings, replayed.policies, Asked{.done = done, .replayed = &replayed});
  const ForwardBackward sides = plan(decision);
  done("extract");
  const std::vector<std::int64_t> no_distance;  // which matters to what is worth it, not to what is right
  const Analysis analysis{decision.joint, decision.users, decision.roles, no_distance, settings};
  tag_replayed_random(decision, analysis, sides, replayed);
  Partition result = finish_and_report(decision, sides, settings, done);
  refuse_wrong_recomputing(analysis, result.report, replayed);
  restate(result.report, replayed);
  return result;
}

std::vector<FrontierPoint> trace_frontier(JointGraph given, const Settings& settings, const Estimator& estimator,
                                          const PolicyStack& policies) {
  given = inline_checkpoints(std::move(given));
  const StorageBytes storages = storage_bytes(given.graph);
  const Consultation said = consult(policies, given, settings);
  Request request(Asked{}, settings, said, storages);
  const Prepared prepared = prepare(std::move(given), request);
  if (prepared.roles.backward_is_empty) return {};
  const auto distance = distance_from_backward(prepared.joint.graph, prepared.users, prepared.roles);
  return frontier({prepared.joint, prepared.users, prepared.roles, distance, settings}, storages, estimator);
}

}  // namespace fxcut
