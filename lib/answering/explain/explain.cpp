#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "cost/size.h"
#include "diagnostic/diagnostic.h"
#include "explain/cut_view.h"
#include "explain/node_outcomes.h"
#include "explain/paths.h"
#include "explain/storage_trade.h"
#include "graph/nodes_by_name.h"
#include "graph/rebuild.h"
#include "normalise/inline_checkpoints.h"
#include "normalise/threshold_backward.h"
#include "partition/partition.h"
#include "report/reasons.h"

namespace fxcut {
namespace {

// By PyTorch's should_quantize.
std::string why_quantized(const DescribedNode& value, const ActivationQuantization& options) {
  const bool is_dynamic = std::ranges::any_of(value.shape, [](const Size& size) { return size.expression != nullptr; });
  if (is_dynamic && options.skip_dynamo_guards) {
    return fmt::format("{} is one of allowed_dtypes, and quantize_dynamic_shape takes symbolic sizes for large", value.dtype);
  }
  return fmt::format("{} is one of allowed_dtypes, and the value is no smaller than size_in_mb, {}", value.dtype,
                     options.size_in_mb);
}

// Explains why a node of the graph that was decided on is saved, recomputed, or neither.
class NodeExplainer {
 public:
  // Keeps the decision by reference, and carries it out to get its report.
  NodeExplainer(const ExplainContext& context, const Decision& decision)
      : context_(context), decision_(decision), original_(carry_out(decision, context.settings).report),
        outcomes_(decision), reasons_(decision.joint, decision.choice, decision.tagged) {
    if (decision.choice.decided_by<ByMinCut>()) cut_.emplace(decision, context.settings);
    for (const SavedValue& row : original_.saved_values) {
      if (!row.host_name.empty()) offloaded_.insert(row.name);
      if (row.compressed) form_of_.emplace(row.name, *row.compressed);
    }
  }

  NodeExplanation of(NodeId id) const {
    NodeExplanation explanation;
    explanation.node = describe_node(graph()[id], context_.settings);
    explanation.outcome = outcomes_.of(id);
    explanation.offloaded = offloaded_.contains(explanation.node.name);
    explain_why(id, explanation);
    explain_again(explanation);
    explain_form(id, explanation);
    if (explanation.outcome == NodeOutcome::Result) return explanation;
    explain_weight(id, explanation);
    explain_budget(id, explanation);
    explain_alternatives(id, explanation);
    return explanation;
  }

 private:
  void explain_why(NodeId id, NodeExplanation& explanation) const {
    std::vector<NodeId> path;
    switch (explanation.outcome) {
      case NodeOutcome::Saved:
        explanation.why = graph()[id].has_symbol() ? reasons_.of_symbol(id) : reasons_.of_saved(id);
        explanation.path = saved_path(id, explanation);
        break;
      case NodeOutcome::Recomputed:
        explanation.why = reasons_.of_recomputed(id);
        explanation.path = recomputed_path(id);
        if (!explanation.path->nodes.empty()) break;
        explanation.notes.emplace_back("no path leads from it to a value that the backward has to compute");
        break;
      case NodeOutcome::ForwardOnly:
        path = path_to_saved(decision_, outcomes_, id);
        explanation.why = why_forward_only(decision_, id, path);
        if (!path.empty()) explanation.path = shown_path(path, "", "saved");
        break;
      case NodeOutcome::BackwardOnly:
        path = path_from_gradient(decision_, id);
        explanation.why = why_backward_only(decision_, id);
        if (path.size() > 1) explanation.path = shown_path(path, why_backward_only(decision_, path.front()).text, "");
        if (path.empty() && graph()[id].is_call()) explanation.path = recomputed_path(id);
        break;
      default: explanation.why = why_removed(explanation.outcome, "");
    }
    if (explanation.path && explanation.path->nodes.empty()) explanation.path.reset();
  }

  void explain_again(NodeExplanation& explanation) const {
    for (const RecomputedAgainValue& row : original_.recomputed_again) {
      if (row.of != explanation.node.name) continue;
      explanation.notes.push_back(fmt::format(
          "the backward recomputes it again before '{}', as '{}': until then it takes no memory", row.before, row.name));
    }
  }

  void explain_form(NodeId id, NodeExplanation& explanation) const {
    const auto form = form_of_.find(explanation.node.name);
    if (form == form_of_.end()) return;
    explanation.form = ExplainedForm{form->second, "", std::nullopt};
    if (decision_.choice.decided_by<ByFrontier>() && !decision_.choice.compressed.empty()) {
      explanation.form->trade = find_form_trade(decision_, context_.settings, id);
      explanation.form->why = "the solver's choice within the limit";
    } else {
      explanation.form->why = why_quantized(explanation.node, context_.settings.activation_quantization);
    }
  }

  void explain_weight(NodeId id, NodeExplanation& explanation) const {
    if (explanation.outcome == NodeOutcome::Saved && !was_chosen(id)) return;
    if (explanation.outcome == NodeOutcome::BackwardOnly && decision_.roles.tangents_closure[index_of(id)]) return;
    if (!cut_) return explain_without_cut(id, explanation);
    const ByMinCut& by = *decision_.choice.decided_by<ByMinCut>();
    if (const auto facts = cut_->of(id)) {
      explanation.weight = facts->weight;
      explanation.limit = facts->limit;
      explanation.alternative_cut = facts->alternative_cut;
      if (by.solved.cuts.size() > 1) explanation.notes.emplace_back("weights are those of the memory budget's last cut");
    } else if (by.nodes.backward_reasons[index_of(id)] == BackwardReason::MustBeRecomputed) {
      explanation.notes.emplace_back("its weight decides nothing: it is tagged to be recomputed");
    } else if (const Unsavable why = by.nodes.costs[index_of(id)].unsavable; why != Unsavable::No) {
      explanation.notes.push_back(fmt::format("it cannot be saved at any weight: {}", phrase_for(why)));
    }
  }

  void explain_without_cut(NodeId id, NodeExplanation& explanation) const {
    if (decision_.choice.decided_by<ByFrontier>()) {
      explanation.trade = find_storage_trade(decision_, context_.settings, id);
      explanation.notes.emplace_back("the frontier solver weighs storages, not values, against the recomputation that they save");
    } else if (saves_inputs(decision_.choice)) {
      explanation.notes.emplace_back("weights do not matter here: under the memory budget only the inputs are saved");
    } else {
      explanation.notes.emplace_back("the default partitioner uses no weights: it saves the values that the backward uses");
    }
  }

  void explain_budget(NodeId id, NodeExplanation& explanation) const {
    const std::vector<KnapsackItem> items = solved_by(decision_.choice).knapsack;
    const auto found = std::find_if(items.begin(), items.end(), [&](const KnapsackItem& item) { return item.node == id; });
    if (found == items.end()) return;
    const Node& node = graph()[id];
    explanation.knapsack =
        KnapsackPart{found->is_saved, find_size(node, context_.settings).value_or(0), found->memory_share, found->runtime};
  }

  void explain_alternatives(NodeId id, NodeExplanation& explanation) const {
    const bool is_saved = explanation.outcome == NodeOutcome::Saved;
    if (is_saved && graph()[id].is_placeholder()) {
      explanation.notes.emplace_back("it cannot be forced to be recomputed: it is an input");
      return;
    }
    const bool feeds_saved = explanation.outcome == NodeOutcome::ForwardOnly && explanation.path;
    if (!graph()[id].is_call() || !(is_saved || feeds_saved || explanation.outcome == NodeOutcome::Recomputed)) return;
    using enum CheckpointPolicy;
    const auto tag = explanation.outcome == NodeOutcome::Recomputed ? MustSave : MustRecompute;
    explanation.alternatives.push_back(find_alternative(context_, original_, {{explanation.node.name}, tag}));
  }

  // If a cut or the frontier solver decided, the path that forces it; else the path to a user.
  NodePath saved_path(NodeId id, NodeExplanation& explanation) const {
    if (!was_chosen(id)) {
      explanation.notes.emplace_back("no path through the graph forces it: it is saved for sizes in the backward");
      return {};
    }
    if (cut_ || decision_.choice.decided_by<ByFrontier>()) {
      const std::vector<NodeId> path = path_of_saved(decision_, id);
      if (!path.empty()) {
        const Ban ban = node_facts(decision_.choice)->bans[index_of(path.front())];
        return shown_path(path, fmt::format("not recomputed: {}", phrase_for(ban)), reason_for_backward(path.back()));
      }
      if (cut_) explanation.notes.emplace_back("no path through the graph forces it: saving it costs nothing");
    }
    const std::vector<NodeId> path = path_to_user(decision_, outcomes_, id);
    if (path.size() == 1) return shown_path(path, "", reason_for_backward(id));
    return shown_path(path, "", "uses it in the backward");
  }

  NodePath recomputed_path(NodeId id) const {
    const std::vector<NodeId> path = path_of_recomputed(decision_, outcomes_, id);
    if (path.empty()) return {};
    return shown_path(path, outcomes_.crosses(path.front()) ? "saved" : "not computed from a saved value",
                      reason_for_backward(path.back()));
  }

  NodePath shown_path(const std::vector<NodeId>& path, std::string from, std::string to) const {
    NodePath shown{{}, std::move(from), std::move(to)};
    for (const NodeId id : path) shown.nodes.push_back(describe_node(graph()[id], context_.settings));
    return shown;
  }

  std::string reason_for_backward(NodeId id) const {
    const std::size_t i = index_of(id);
    return std::string(phrase_for(decision_.roles.tangents_closure[i]    ? BackwardReason::ComputedInBackward
                                  : decision_.roles.required_backward[i] ? BackwardReason::NeededInBackward
                                                                         : BackwardReason::MustBeRecomputed));
  }

  // Whether the decision saves the value; symbolic sizes are also passed on without it.
  bool was_chosen(NodeId id) const {
    const auto& saved = decision_.choice.saved;
    return std::find(saved.begin(), saved.end(), id) != saved.end();
  }

  const Graph& graph() const { return decision_.joint.graph; }

  const ExplainContext& context_;
  const Decision& decision_;
  Report original_;
  NodeOutcomes outcomes_;
  Reasons reasons_;
  std::optional<CutView> cut_;                 // if a cut decided
  std::unordered_set<std::string> offloaded_;  // of saved values
  std::unordered_map<std::string, CompressedForm> form_of_;  // of those that cross in fewer bits
};

// The names of all nodes after checkpointed regions are inlined, and ReLUs' gradients decomposed.
std::set<std::string> names_when_inlined(const JointGraph& joint, const Settings& settings) {
  const JointGraph inlined = decompose_threshold_backward(inline_checkpoints(joint), settings.compress);
  std::set<std::string> names;
  for (const Node& node : inlined.graph.nodes) names.insert(node.name);
  return names;
}

// Throws Failure (Usage) that lists the unknown names: of no node as read, and of none after inlining.
void require_known(const std::vector<std::string>& names, const NodesByName& as_read, const std::set<std::string>& inlined) {
  const auto is_known = [&](const std::string& name) { return as_read.contains(name) || inlined.contains(name); };
  if (std::all_of(names.begin(), names.end(), is_known)) return;
  std::set<std::string_view> known(inlined.begin(), inlined.end());
  for (const auto& [name, node] : as_read) known.insert(name);
  std::vector<Diagnostic> unknown;
  for (const std::string& name : names) {
    if (is_known(name)) continue;
    unknown.push_back({"", fmt::format("the graph has no node '{}'", name), did_you_mean(name, {known.begin(), known.end()})});
  }
  throw Failure(ExitStatus::Usage, std::move(unknown));
}

// For a node that is not in the graph that was decided on; `as_read` is the node of that name as the graph was read, or null,
// `representative` the node that it was merged into, or null.
NodeExplanation explain_removed(const std::string& name, const Node* as_read, const std::set<std::string>& inlined,
                                const Node* representative, const Settings& settings) {
  NodeExplanation explanation;
  if (as_read) explanation.node = describe_node(*as_read, settings);
  explanation.node.name = name;
  explanation.outcome = representative ? NodeOutcome::Merged : inlined.contains(name) ? NodeOutcome::Dead : NodeOutcome::Inlined;
  if (representative) explanation.same_as = representative->name;
  explanation.why = why_removed(explanation.outcome, explanation.same_as);
  return explanation;
}

}  // namespace

ExplainedGraph describe_graph(const Decision& decision, const Settings& settings) {
  return {decision.joint.name, decision.joint.torch, partitioner_of(decision.choice),
          decision.choice.decided_by<ByFrontier>() != nullptr, decision.choice.budget,
          std::string(estimator_of_budget(settings).name)};
}

Explanations explain(const ExplainContext& context, const std::vector<std::string>& names) {
  const NodesByName as_read = nodes_by_name(context.joint.graph);
  const std::set<std::string> inlined = names_when_inlined(context.joint, context.settings);
  require_known(names, as_read, inlined);
  const std::shared_ptr<const Decision> made = decision_of(context);
  const Decision& decision = *made;
  const Survivors survivors(decision.joint);
  const NodeExplainer explainer(context, decision);
  Explanations explained{describe_graph(decision, context.settings), {}};
  const auto is_explained = [&](const std::string& name) {
    return std::any_of(explained.nodes.begin(), explained.nodes.end(),
                       [&](const NodeExplanation& explanation) { return explanation.node.name == name; });
  };
  for (const std::string& name : names) {
    if (is_explained(name)) continue;
    const std::optional<NodeId> representative = survivors.of(name);
    const Node* node = representative ? &decision.joint.graph[*representative] : nullptr;
    if (!node || node->name != name) {
      const auto found = as_read.find(name);
      const Node* read = found == as_read.end() ? nullptr : &context.joint.graph[found->second];
      explained.nodes.push_back(explain_removed(name, read, inlined, node, context.settings));
    }
    if (node && !is_explained(node->name)) explained.nodes.push_back(explainer.of(*representative));
  }
  return explained;
}

}  // namespace fxcut
