#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "cost/estimators.h"
#include "diagnostic/diagnostic.h"
#include "explain/node_explainer.h"
#include "explain/node_outcomes.h"
#include "graph/rebuild.h"
#include "normalise/inline_checkpoints.h"

namespace fxcut {
namespace {

using NodesByName = std::unordered_map<std::string_view, const Node*>;

NodesByName nodes_by_name(const Graph& graph) {
  NodesByName nodes;
  for (const Node& node : graph.nodes) nodes.emplace(node.name, &node);
  return nodes;
}

// The names of all nodes after checkpointed regions are inlined.
std::set<std::string> names_when_inlined(const JointGraph& joint) {
  std::set<std::string> names;
  for (const Node& node : inline_checkpoints(joint).graph.nodes) names.insert(node.name);
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

// For a node that is not in the graph that was decided on; `representative` is the node that it was merged into, or null.
NodeExplanation explain_removed(const std::string& name, const NodesByName& as_read, const std::set<std::string>& inlined,
                                const Node* representative, const Settings& settings) {
  NodeExplanation explanation;
  const auto found = as_read.find(name);
  if (found != as_read.end()) explanation.node = describe_node(*found->second, settings);
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
          std::string(estimator_of(settings).name)};
}

Explanations explain(const ExplainContext& context, const std::vector<std::string>& names) {
  const NodesByName as_read = nodes_by_name(context.joint.graph);
  const std::set<std::string> inlined = names_when_inlined(context.joint);
  require_known(names, as_read, inlined);
  const Decision decision = decide(context.joint, context.settings, context.policies, context.start_clock());
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
      explained.nodes.push_back(explain_removed(name, as_read, inlined, node, context.settings));
    }
    if (node && !is_explained(node->name)) explained.nodes.push_back(explainer.of(*representative));
  }
  return explained;
}

}  // namespace fxcut
