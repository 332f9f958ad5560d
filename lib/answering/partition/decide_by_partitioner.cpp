#include "partition/decide_by_partitioner.h"

#include <utility>
#include <variant>

#include "classify/functional.h"
#include "compress/mark_compressed.h"
#include "diagnostic/diagnostic.h"
#include "frontier/save_within_limit.h"
#include "host/save_with_host.h"
#include "normalise/common_subexpressions.h"
#include "normalise/dead_code.h"
#include "partition/replay.h"
#include "peak/save_fastest.h"
#include "peak/save_within_peak.h"
#include "peak/save_within_peak_with_host.h"
#include "policy/budget.h"
#include "policy/recompute_tags.h"
#include "solve/default_saved_values.h"
#include "step/tagged_saved_values.h"

namespace fxcut {
namespace {

void force_tag(JointGraph& joint, const ForcedTag& forced, PolicyOutcome& tagged) {
  for (Node& node : joint.graph.nodes) {
    if (!forced.nodes.contains(node.name)) continue;
    node.meta.recompute = forced.tag;
    // PyTorch does not save views for a tag on them.
    node.meta.kept_part = forced.tag == CheckpointPolicy::MustSave && node.is_call() && node.callee->is(Operator::View);
  }
  for (const std::string& node : forced.nodes) tagged.reasons.erase(node);
}

// Whether the graph's own marks for offloading count beside copies that the solver chooses: then they do as beside a policy's.
bool own_marks_count(const Settings& settings, const PolicyOutcome& tagged) {
  return settings.enable_activation_offloading || tagged.offloads;
}

void tag_by_policies(JointGraph& joint, PassContext& context) {
  if (context.tagged) return;
  context.tagged = apply_policies(joint, context.matched, context.settings);
  if (context.forced) force_tag(joint, *context.forced, *context.tagged);
  if (context.replayed) {
    context.tagged->offloads |= mark_offloaded(joint, *context.replayed, own_marks_count(context.settings, *context.tagged));
    context.tagged->compresses = mark_compressed_as(joint, *context.replayed);
  }
}

FinishingNeeds needs_of(const Graph& graph, Partitioner partitioner) {
  return {partitioner, has_recomputable_ops(graph), has_recomputable_rng_ops(graph), false};
}

// PyTorch's default_partition up to its decision.
Decision decide_by_default(JointGraph joint, PassContext context) {
  const Settings& settings = context.settings;
  tag_by_policies(joint, context);
  FinishingNeeds needs = needs_of(joint.graph, Partitioner::Default);
  Users users(joint.graph);
  resolve_recompute_tags(joint, users, settings, Partitioner::Default, context.has_policies);
  Roles roles = classify(joint, users);
  check_pass("classify", joint.graph);
  context.done("classify");
  needs.backward_is_empty = roles.backward_is_empty;
  SavedValues choice =
      context.replayed
          ? replayed_values(joint, roles.tangents_closure, *context.replayed, Partitioner::Default)
      : joint.step
          ? tagged_saved_values(joint, roles)
          : default_saved_values(joint, users, roles, needs.has_regions);
  context.done("decide");
  return {std::move(joint), std::move(users), std::move(roles), std::move(choice), needs, std::move(*context.tagged)};
}

FinishingNeeds with_policies(FinishingNeeds needs, const PassContext& context) {
  needs.has_policies = context.has_policies;
  needs.policies_offload = context.tagged->offloads;
  return needs;
}

SavedValues within_limit(const Analysis& analysis, const PassContext& context, const FinishingNeeds& needs, double budget) {
  const std::optional<MemoryLimit>& peak = analysis.settings.peak_bytes_limit;
  const MemoryLimit limit = peak ? *peak : limit_of(analysis, context.storages, budget);
  const bool may_copy = analysis.settings.offload == Offload::Auto;
  const SearchLimits search = search_limits(analysis.settings, context.halt);
  if (peak && analysis.settings.recompute_again && context.forced) {
    return save_within_peak_near(analysis, context.storages, limit, search, context.forced->saved);
  }
  if (!peak && !may_copy) {
    return save_fastest_within_limit(analysis, context.storages, with_policies(needs, context), limit, search);
  }
  if (!peak) {
    return save_with_host(analysis, context.storages, limit, search, own_marks_count(analysis.settings, *context.tagged));
  }
  const auto decide = may_copy ? save_within_peak_with_host : save_within_peak;
  return decide(analysis, context.storages, limit, search);
}

SavedValues decide_saved_values(const Analysis& analysis, const PassContext& context, const FinishingNeeds& needs) {
  if (context.replayed) {
    return replayed_values(analysis.joint, analysis.roles.tangents_closure, *context.replayed, Partitioner::MinCut);
  }
  const double budget = resolve_budget(analysis.joint, analysis.roles, analysis.settings);
  if (context.kept) {
    const RecomputeProblem problem =
        costed_problem(analysis, context.storages, estimator_of_frontier(analysis.settings));
    SavedValues choice = saved_by_frontier(analysis, problem, context.kept->kept, context.kept->facts);
    choice.budget = budget;
    return choice;
  }
  if (context.compiled) {
    SavedValues choice = save_within_compiled_peak(analysis, context.storages, with_policies(needs, context), *context.compiled,
                                                   search_limits(analysis.settings, context.halt));
    choice.budget = budget;
    return choice;
  }
  const bool limits_peak = analysis.settings.peak_bytes_limit.has_value();
  if (!limits_peak && !uses_frontier(analysis.settings, budget)) return choose_saved_values(analysis, budget);
  SavedValues choice = within_limit(analysis, context, needs, budget);
  choice.budget = budget;
  return choice;
}

// A search that finds nothing counts as deciding, too: another may follow.
SavedValues decide_and_tell(const Analysis& analysis, const PassContext& context, const FinishingNeeds& needs) {
  try {
    SavedValues choice = decide_saved_values(analysis, context, needs);
    context.done("decide");
    return choice;
  } catch (const Failure&) {
    context.done("decide");
    throw;
  }
}

// The solver's copies are made like those of a policy that prefers them.
void mark_for_host(JointGraph& joint, const SavedValues& choice, const Settings& settings, PolicyOutcome& tagged) {
  if (choice.to_host.empty()) return;
  if (!own_marks_count(settings, tagged)) {
    for (Node& node : joint.graph.nodes) node.meta.should_offload = false;
  }
  for (const NodeId id : choice.to_host) {
    joint.graph[id].meta.should_offload = tagged.offloads = true;
    joint.graph[id].meta.offload_request = OffloadRequest::Preferred;
  }
}

// PyTorch's min_cut_rematerialization_partition up to its decision; if the backward is empty, there is nothing to cut, and
// the rest of the graph is returned.
std::variant<Decision, JointGraph> cut(JointGraph given, PassContext& context) {
  auto [joint, users, roles, needs] = prepare(std::move(given), context);
  if (roles.backward_is_empty) return std::move(joint);
  const std::vector<std::int64_t> distance = distance_from_backward(joint.graph, users, roles);
  context.done("classify");

  // Decide: the values to save.
  const Analysis analysis{joint, users, roles, distance, context.settings};
  SavedValues choice = decide_and_tell(analysis, context, needs);
  if (choice.decided_by<ByFrontier>()) needs.has_random_regions |= tag_recomputed_random(joint, choice);
  needs.again = choice.again;
  needs.compresses = !choice.compressed.empty();
  mark_compressed(joint, choice.compressed);
  mark_for_host(joint, choice, context.settings, *context.tagged);
  return Decision{std::move(joint), std::move(users), std::move(roles), std::move(choice), needs, std::move(*context.tagged)};
}

void refuse_limit_of_default(const Settings& settings) {
  if (settings.partitioner != Partitioner::Default || !(settings.saved_bytes_limit || settings.peak_bytes_limit)) return;
  throw Failure(ExitStatus::NoPartition,
                "the default partitioner heeds no limit of memory: --saved-bytes and --peak-bytes need min_cut",
                "drop the limit, or --set partitioner=default");
}

Decision decide_by_min_cut(JointGraph joint, PassContext context) {
  std::optional<std::size_t> recomputable;  // the number of tags after the previous round
  while (true) {
    auto decided = cut(std::move(joint), context);
    if (auto* decision = std::get_if<Decision>(&decided)) return std::move(*decision);
    joint = std::get<JointGraph>(std::move(decided));
    if (!must_fall_back_to_min_cut(joint)) return decide_by_default(std::move(joint), std::move(context));
    if (recomputable == count_recomputable_ops(joint.graph)) throw neither_partitioner_decides(joint);
    recomputable = count_recomputable_ops(joint.graph);
  }
}

}  // namespace

Prepared prepare(JointGraph joint, PassContext& context) {
  const Settings& settings = context.settings;
  // Normalise: dead code and common subexpressions.
  joint = eliminate_dead_code(std::move(joint));
  check_pass("dead code", joint.graph);
  if (settings.cse) joint = merge_common_subexpressions(std::move(joint));
  check_pass("normalise", joint.graph);
  context.done("normalise");

  // Policy: the effects of policies, tags and the operators' properties.
  tag_by_policies(joint, context);
  FinishingNeeds needs = needs_of(joint.graph, Partitioner::MinCut);
  Users users(joint.graph);
  resolve_recompute_tags(joint, users, settings, Partitioner::MinCut, context.has_policies);
  check_pass("policy", joint.graph);
  context.done("policy");

  // Classify: the side of each node. From here on the joint graph's nodes and edges do not change.
  Roles roles = classify(joint, users);
  return {std::move(joint), std::move(users), std::move(roles), needs};
}

Decision decide_by_partitioner(JointGraph joint, PassContext context) {
  if (!context.replayed) refuse_limit_of_default(context.settings);
  if (context.settings.partitioner == Partitioner::MinCut) {
    return decide_by_min_cut(std::move(joint), std::move(context));
  }
  tag_by_policies(joint, context);
  return !joint.step && must_fall_back_to_min_cut(joint) ? decide_by_min_cut(std::move(joint), std::move(context))
                                                         : decide_by_default(std::move(joint), std::move(context));
}

}  // namespace fxcut
