#include "policy/policy_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

#include "classify/gathered_parameters.h"
#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "policy/names.h"
#include "policy/policy_subjects.h"

namespace fxcut {
namespace {

// By node: whether the backward uses it, depending on the values that policies keep.
struct BackwardReach {
  // Calls that depend on no gradient and that no output of the forward needs: only the backward uses them, for example
  // the cosine in the derivative of a sine. Random and impure operators are not included.
  std::vector<bool> own;
  // Nodes that the backward needs, for a gradient or to recompute values that are not kept.
  std::vector<bool> needed;
};

std::vector<bool> depends_on_gradient(const Graph& graph) {
  std::vector<bool> depends(graph.size(), false);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    depends[i] = is_tangent(node) || node.meta.is_after_loss() ||
                 std::any_of(node.inputs.begin(), node.inputs.end(), [&](NodeId input) { return depends[index_of(input)]; });
  }
  return depends;
}

std::vector<bool> find_own(const JointGraph& joint, const std::vector<bool>& depends) {
  const Graph& graph = joint.graph;
  const std::vector<OutputLeaf> outputs = output_leaves(graph);
  const std::size_t num_forward = std::min(joint.num_forward_outputs, outputs.size());
  const std::vector<bool> needed = needed_for(graph, std::span(outputs).first(num_forward));
  std::vector<bool> own(graph.size(), false);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph.nodes[i];
    own[i] = node.is_call() && !depends[i] && !needed[i] && !is_random(node) && !is_impure(node);
  }
  return own;
}

std::vector<bool> find_needed(const Graph& graph, const std::vector<bool>& depends, const std::vector<bool>& kept) {
  std::vector<bool> needed = depends;
  for (std::size_t i = graph.size(); i-- > 0;) {
    if (graph.nodes[i].is_output()) needed[i] = false;
    if (!needed[i] || kept[i]) continue;
    for (const NodeId input : graph.nodes[i].inputs) needed[index_of(input)] = true;
  }
  return needed;
}

// `kept`: by node, whether the forward passes its value to the backward.
BackwardReach find_backward_reach(const JointGraph& joint, const std::vector<bool>& kept) {
  const std::vector<bool> depends = depends_on_gradient(joint.graph);
  return {find_own(joint, depends), find_needed(joint.graph, depends, kept)};
}

// Whether the backward needs an input other than under a checkpoint name. `needed` is BackwardReach::needed; `same` is
// by node (same_values in policy/names.h).
bool is_needed_without_name(const Graph& graph, const Users& users, NodeId input, const std::vector<bool>& needed,
                            const std::vector<NodeId>& same, const std::vector<std::string>& naming_operators) {
  std::vector<NodeId> open = {input};  // the input, and views of it that have no name yet
  std::unordered_set<NodeId> seen;     // a view may have several inputs
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    if (graph[id].provenance && !graph[id].provenance->checkpoint_name.empty()) continue;
    for (const NodeId user : users.of(id)) {
      if (is_naming(graph[user], naming_operators)) continue;
      if (same[index_of(user)] == input) {
        open.push_back(user);
      } else if (needed[index_of(user)]) {
        return true;
      }
    }
  }
  return false;
}

// By node, whether its value is kept.
std::vector<bool> find_kept(const std::vector<ResolvedPolicy>& resolved, const std::vector<NodeId>& same) {
  std::vector<bool> kept(same.size());
  for (std::size_t i = 0; i < same.size(); ++i) kept[i] = resolved[index_of(same[i])].keeps();
  return kept;
}

class Tagging {
 public:
  Tagging(JointGraph& joint, const TaggedSubjects& subjects, std::vector<PolicySource> sources,
          std::vector<ResolvedPolicy> resolved)
      : graph_(joint.graph),
        users_(joint.graph),
        is_subject_(subjects.is_subject),
        same_(subjects.same),
        wholes_(subjects.wholes),
        names_(subjects.naming_operators),
        sources_(std::move(sources)),
        resolved_(std::move(resolved)),
        kept_(find_kept(resolved_, same_)),
        reach_(find_backward_reach(joint, kept_)) {}

  PolicyOutcome run() {
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (resolved_[i].winner && same_[i] == node_id(i)) tag_value(node_id(i));
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (is_subject_[i] && graph_.nodes[i].is_call() && same_[i] != node_id(i)) tag_alias(node_id(i));
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) keep_with_its_tuple(node_id(i));
    for (std::size_t i = 0; i < graph_.size(); ++i) leave_to_backward(node_id(i));
    return std::move(outcome_);
  }

 private:
  // Items of a tuple that is not recomputed cannot be recomputed.
  void keep_with_its_tuple(NodeId id) {
    const NodeId computed_by = computing_node(graph_, id);
    const bool is_stuck = computed_by != id && graph_[computed_by].meta.recompute == CheckpointPolicy::MustSave;
    if (is_stuck && graph_[id].must_recompute()) graph_[id].meta.recompute = CheckpointPolicy::PreferSave;
  }

  // A value that only the backward uses is computed there from kept values, and not saved in their place.
  void leave_to_backward(NodeId id) {
    const std::size_t i = index_of(id);
    if (!reach_.own[i] || resolved_[i].winner) return;
    if (const NodeId tuple = computing_node(graph_, id); tuple != id) {  // it is kept by keeping its items
      kept_[i] = kept_[i] || kept_[index_of(tuple)];
      return;
    }
    const auto& inputs = graph_[id].inputs;
    const bool is_of_kept =
        std::any_of(inputs.begin(), inputs.end(), [&](NodeId input) { return kept_[index_of(input)]; });
    if (!is_of_kept) return;
    kept_[i] = true;  // for the values computed from it
    graph_[id].meta.recompute = CheckpointPolicy::PreferRecompute;
  }

  void tag_value(NodeId id) {
    const ResolvedPolicy& resolved = resolved_[index_of(id)];
    Node& node = graph_[id];
    if (is_recompute(resolved.winner->checkpoint_policy) && draws_seeds(node)) return warn_of_seeds(node, resolved);
    if (resolved.is(CheckpointPolicy::MustSave) && is_saved_in_whole(id)) {
      node.meta.recompute = CheckpointPolicy::PreferRecompute;
      return explain_recomputed(id, fmt::format("a part of '{}', which is kept in its place", graph_[whole_of(id)].name));
    }
    keep_reason(id);
    if (warn_of_tuple(id, resolved)) return;
    const CheckpointPolicy checkpoint_policy = resolved.winner->checkpoint_policy;
    if (keeps(checkpoint_policy)) {
      keep(id, checkpoint_policy);
    } else if (is_recompute(checkpoint_policy)) {
      recompute(id, checkpoint_policy);
    } else {
      node.meta.recompute = checkpoint_policy;
    }
  }

  // Whether it is a part of a saved value, from which it is free to make.
  bool is_saved_in_whole(NodeId id) const {
    const NodeId whole = whole_of(id);
    return whole != id && resolved_[index_of(whole)].is(CheckpointPolicy::MustSave);
  }

  NodeId whole_of(NodeId id) const { return wholes_[index_of(id)]; }

  // Tags a value to be saved, and to be offloaded if `policy` is to offload.
  void keep(NodeId id, CheckpointPolicy policy) {
    Node& node = graph_[id];
    if (!node.is_call()) {
      if (policy == CheckpointPolicy::MustSave) return;  // an input is always resident
      if (!offload_input(id)) return;
    }
    if (policy != CheckpointPolicy::MustSave) {
      outcome_.offloads = node.meta.should_offload = true;
      node.meta.offload_request = policy == CheckpointPolicy::PreferCpuOffload ? OffloadRequest::Preferred
                               : is_permission(resolved_[index_of(id)])     ? OffloadRequest::Permitted
                                                                            : OffloadRequest::Must;
    }
    if (!node.is_call()) return;
    const NodeId computed_by = computing_node(graph_, id);
    node.meta.kept_part = computed_by == id && (node.callee->is(Operator::View) || node.calls("operator.getitem"));
    if (computed_by != id) graph_[id].meta.recompute = CheckpointPolicy::PreferSave;
    graph_[computed_by].meta.recompute = CheckpointPolicy::MustSave;
  }

  // Whether an input is offloaded, which frees nothing while its caller holds it.
  bool offload_input(NodeId id) {
    const ResolvedPolicy& resolved = resolved_[index_of(id)];
    const bool is_wanted = is_permission(resolved)
                               ? !is_needed_without_name(graph_, users_, id, reach_.needed, same_, names_)
                               : resolved.is(CheckpointPolicy::MustCpuOffload);
    warn(fmt::format("'{}' is an input, which is always resident: {} ({})", graph_[id].name,
                     is_wanted ? "offloading it frees memory only where its caller drops it" : "it is not offloaded",
                     rule_of_all_kinds(resolved)));
    return is_wanted;
  }

  // How many items of a tuple are taken, and how many of these go to the host by the rules that match them.
  struct ItemsOnHost {
    std::size_t items = 0;
    std::size_t on_host = 0;

    // "its items are offloaded in its place"
    std::string told() const {
      if (on_host == 0) return "its items are saved in its place";
      if (on_host == items) return "its items are offloaded in its place";
      return fmt::format("{} of its {} items {} offloaded in its place", on_host, items, on_host == 1 ? "is" : "are");
    }
  };

  ItemsOnHost items_on_host(NodeId tuple) const {
    ItemsOnHost found;
    for (const NodeId user : users_.of(tuple)) {
      if (computing_node(graph_, user) != tuple) continue;
      const ResolvedPolicy& item = resolved_[index_of(user)];
      ++found.items;
      found.on_host += item.keeps() && !item.is(CheckpointPolicy::MustSave);
    }
    return found;
  }

  // A tuple is kept by keeping its items. Returns whether it is one; warns of it unless the policy is about everything. One that
  // must be offloaded is refused if no rule has an item of it offloaded; a rule on sizes may leave out the small ones.
  bool warn_of_tuple(NodeId id, const ResolvedPolicy& resolved) {
    Node& node = graph_[id];
    const bool is_tuple = node.is_call() && node.value && node.value->kind == Value::Kind::Tuple;
    if (!is_tuple || !resolved.keeps()) return false;
    const ItemsOnHost items = items_on_host(id);
    if (resolved.is(CheckpointPolicy::MustCpuOffload) && !is_permission(resolved) && items.on_host == 0) {
      throw Failure(ExitStatus::NoPartition,
                    fmt::format("'{}' ({}) must be offloaded by policy '{}' ({}), but it is a tuple", node.name,
                                node.callee->target, source_of(resolved).policy, rule_of(*resolved.winner, sources_)),
                    "offload its items");
    }
    if (!is_otherwise(resolved) && !is_permission(resolved)) {
      warn(fmt::format("'{}' is a tuple: {} ({})", node.name, items.told(), rule_in_policy(resolved)));
    }
    node.meta.recompute = CheckpointPolicy::MustSave;
    return true;
  }

  // Warns of a rule that cannot be obeyed, unless the policy is about everything.
  void warn_of_seeds(const Node& node, const ResolvedPolicy& resolved) {
    if (!resolved.is(CheckpointPolicy::MustRecompute) || is_otherwise(resolved)) return;
    warn(fmt::format("'{}' draws seeds in inductor's own code, which would draw other ones a second time: they are not "
                     "recomputed", node.name));
  }

  void recompute(NodeId id, CheckpointPolicy policy) {
    Node& node = graph_[id];
    if (!node.is_call()) return;
    node.meta.recompute = policy;
    recompute_with_its_tuple(id);
    if (policy != CheckpointPolicy::MustRecompute || gathers_parameter(id)) return;
    const std::string_view what = is_random(node) ? "draws random numbers: it draws them again from the same state"
                                  : node.callee->is_collective() ? "is a collective: all ranks run it a second time"
                                  : is_impure(node)              ? "has a side effect, which then happens twice"
                                                                 : "";
    if (!what.empty()) warn(fmt::format("'{}' must be recomputed, but it {}", node.name, what));
  }

  // It is a collective, too, and meant to run a second time: sharding of parameters does so by default.
  bool gathers_parameter(NodeId id) {
    if (!graph_[id].callee->is_collective()) return false;
    if (!gathered_) gathered_ = find_gathered_parameters(graph_);
    return (*gathered_)[index_of(id)];
  }

  // To recompute an item its tuple, which cannot be saved, is recomputed, unless a policy matches the tuple itself.
  void recompute_with_its_tuple(NodeId id) {
    const NodeId computed_by = computing_node(graph_, id);
    Node& tuple = graph_[computed_by];
    if (computed_by == id || resolved_[index_of(computed_by)].winner || tuple.meta.recompute) return;
    const Verdict& verdict = *resolved_[index_of(id)].winner;
    tuple.meta.recompute = verdict.checkpoint_policy;
    outcome_.reasons.add_follower(tuple.name, verdict, fmt::format("the tuple of '{}'", graph_[id].name));
  }

  // A name or a view of a value is recomputed from it, unless a policy matches this node itself.
  void tag_alias(NodeId id) {
    const ResolvedPolicy& own = resolved_[index_of(id)];
    const NodeId value = same_[index_of(id)];
    const bool is_kept = !graph_[value].is_call() || is_saved_in_whole(value) ||
                         graph_[computing_node(graph_, value)].meta.recompute == CheckpointPolicy::MustSave;
    if (!own.winner) return follow(id, value, is_kept);
    graph_[id].meta.recompute =
        own.is(CheckpointPolicy::PreferSave) ? CheckpointPolicy::PreferSave : CheckpointPolicy::PreferRecompute;
    if (!own.keeps()) return keep_reason(id);
    const std::string fate =
        fmt::format("a view or a name of '{}', which is {}", graph_[value].name, is_kept ? "kept in its place" : "recomputed");
    if (!is_otherwise(own)) warn(fmt::format("'{}' is {} ({})", graph_[id].name, fate, rule_of_all_kinds(own)));
    explain_recomputed(id, fate);
  }

  // A node without a policy of its own follows its value.
  void follow(NodeId id, NodeId value, bool is_kept) {
    const ResolvedPolicy& of_value = resolved_[index_of(value)];
    if (!of_value.winner || !(is_kept || is_recompute(of_value.winner->checkpoint_policy))) return;
    Verdict verdict = *of_value.winner;
    if (is_kept) verdict.checkpoint_policy = CheckpointPolicy::PreferRecompute;
    graph_[id].meta.recompute = verdict.checkpoint_policy;
    outcome_.reasons.add_follower(graph_[id].name, verdict, fmt::format("a view or a name of '{}'", graph_[value].name));
  }

  void warn(std::string warning) { outcome_.warnings.push_back(std::move(warning)); }

  void keep_reason(NodeId id) {
    ResolvedPolicy& resolved = resolved_[index_of(id)];
    outcome_.reasons.add(graph_[id].name, *resolved.winner, std::move(resolved.overrode));
  }

  // A rule that says to keep a value is no reason to recompute it: `fate` is, "a view of 'x', which is kept in its place".
  void explain_recomputed(NodeId id, std::string fate) {
    ResolvedPolicy& resolved = resolved_[index_of(id)];
    Verdict verdict = *resolved.winner;
    verdict.checkpoint_policy = CheckpointPolicy::PreferRecompute;
    outcome_.reasons.add_follower(graph_[id].name, verdict, std::move(fate), std::move(resolved.overrode));
  }

  std::string rule_in_policy(const ResolvedPolicy& resolved) const {
    return fmt::format("policy '{}', {}", source_of(resolved).policy, rule_of(*resolved.winner, sources_));
  }

  // For a warning of a node that the rule did not have to match.
  std::string rule_of_all_kinds(const ResolvedPolicy& resolved) const {
    const std::string_view hint = is_permission(resolved) ? "" : "; with \"kind\": \"activation\" it leaves such nodes out";
    return rule_in_policy(resolved) + std::string(hint);
  }

  const PolicySource& source_of(const ResolvedPolicy& resolved) const { return sources_[resolved.winner->source]; }
  bool is_permission(const ResolvedPolicy& resolved) const { return source_of(resolved).is_permission; }
  bool is_otherwise(const ResolvedPolicy& resolved) const { return rule_of(*resolved.winner, sources_) == kOtherwise; }

  Graph& graph_;
  const Users users_;
  const std::vector<bool>& is_subject_;
  const std::vector<NodeId>& same_;
  const std::vector<NodeId>& wholes_;
  const std::vector<std::string>& names_;
  const std::vector<PolicySource> sources_;
  std::vector<ResolvedPolicy> resolved_;
  std::vector<bool> kept_;
  const BackwardReach reach_;
  std::optional<std::vector<bool>> gathered_;  // by node, once asked for
  PolicyOutcome outcome_{PolicyReasons(sources_), {}, {}};
};

}  // namespace

PolicyOutcome tag_nodes(JointGraph& joint, const TaggedSubjects& subjects, std::vector<PolicySource> sources,
                        std::vector<ResolvedPolicy> resolved) {
  return Tagging(joint, subjects, std::move(sources), std::move(resolved)).run();
}

}  // namespace fxcut
