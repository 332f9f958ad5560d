#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "cost/estimators.h"
#include "diagnostic/diagnostic.h"
#include "explain/node_explainer.h"
#include "explain/why_neither.h"
#include "graph/survivors.h"
#include "normalise/inline_checkpoints.h"

namespace fxcut {
namespace {

using NodesByName = std::unordered_map<std::string_view, const Node*>;

NodesByName nodes_by_name(const Graph& graph) {
  NodesByName nodes;
  for (const Node& node : graph.nodes) nodes.emplace(node.name, &node);
  return nodes;
}

// The names of all nodes once checkpointed regions are inlined.
std::set<std::string> names_when_inlined(const JointGraph& joint) {
  std::set<std::string> names;
  for (const Node& node : inline_checkpoints(joint).graph.nodes) names.insert(node.name);
  return names;
}

// Throws Failure (Usage) that lists the names that no node has, as read or inlined.
void require_known(const std::vector<std::string>& names, const NodesByName& as_read,
                   const std::set<std::string>& inlined) {
  const auto is_known = [&](const std::string& name) { return as_read.contains(name) || inlined.contains(name); };
  if (std::all_of(names.begin(), names.end(), is_known)) return;
  std::set<std::string_view> known(inlined.begin(), inlined.end());
  for (const auto& [name, node] : as_read) known.insert(name);
  std::vector<Diagnostic> unknown;
  for (const std::string& name : names) {
    if (is_known(name)) continue;
    unknown.push_back({"", fmt::format("the graph has no node '{}'", name),
                       did_you_mean(name, {known.begin(), known.end()})});
  }
  throw Failure(ExitStatus::Usage, std::move(unknown));
}

// Of a node that the decision was not made on; `stands` is the one that stands for it, if one does.
NodeExplanation explain_gone(const std::string& name, const NodesByName& as_read, const std::set<std::string>& inlined,
                             const Node* stands, const Settings& settings) {
  NodeExplanation explanation;
  const auto found = as_read.find(name);
  if (found != as_read.end()) explanation.node = describe_node(*found->second, settings);
  explanation.node.name = name;
  explanation.outcome = stands ? NodeOutcome::Merged : inlined.contains(name) ? NodeOutcome::Dead : NodeOutcome::Inlined;
  if (stands) explanation.same_as = stands->name;
  explanation.why = why_removed(explanation.outcome, explanation.same_as);
  return explanation;
}

}  // namespace

ExplainedGraph describe_graph(const Decision& decision, const Settings& settings) {
  const SavedValues& choice = decision.choice;
  const bool by_frontier = choice.decided_by<ByFrontier>();
  return {decision.joint.name, decision.joint.torch, partitioner_of(choice),
          by_frontier,         choice.budget,        std::string(estimator_of(settings).name)};
}

Explained explain(const Question& question, const std::vector<std::string>& names) {
  const NodesByName as_read = nodes_by_name(question.joint.graph);
  const std::set<std::string> inlined = names_when_inlined(question.joint);
  require_known(names, as_read, inlined);
  const Decision decision = decide(question.joint, question.settings, question.policies, question.start_clock());
  const Survivors survivors(decision.joint);
  const NodeExplainer explaining(question, decision);
  Explained explained{describe_graph(decision, question.settings), {}};
  const auto is_told = [&](const std::string& name) {
    return std::any_of(explained.nodes.begin(), explained.nodes.end(),
                       [&](const NodeExplanation& explanation) { return explanation.node.name == name; });
  };
  for (const std::string& name : names) {
    if (is_told(name)) continue;
    const std::optional<NodeId> stands = survivors.of(name);
    const Node* node = stands ? &decision.joint.graph[*stands] : nullptr;
    if (!node || node->name != name) {
      explained.nodes.push_back(explain_gone(name, as_read, inlined, node, question.settings));
    }
    if (node && !is_told(node->name)) explained.nodes.push_back(explaining.of(*stands));
  }
  return explained;
}

}  // namespace fxcut
