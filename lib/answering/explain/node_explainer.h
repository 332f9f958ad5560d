// Explains why a node of the graph that was decided on is saved, recomputed, or neither.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "explain/cut_view.h"
#include "explain/explanation.h"
#include "explain/node_outcomes.h"
#include "explain/alternative.h"
#include "report/reasons.h"

namespace fxcut {

class NodeExplainer {
 public:
  // Keeps the decision by reference, and carries it out to get its report.
  NodeExplainer(const ExplainContext& context, const Decision& decision);

  NodeExplanation of(NodeId id) const;

 private:
  void explain_why(NodeId id, NodeExplanation& explanation) const;
  void explain_weight(NodeId id, NodeExplanation& explanation) const;
  void explain_without_cut(NodeId id, NodeExplanation& explanation) const;
  void explain_budget(NodeId id, NodeExplanation& explanation) const;
  void explain_alternatives(NodeId id, NodeExplanation& explanation) const;
  NodePath saved_path(NodeId id, NodeExplanation& explanation) const;
  NodePath recomputed_path(NodeId id) const;
  NodePath shown_path(const std::vector<NodeId>& path, std::string from, std::string to) const;
  std::string reason_for_backward(NodeId id) const;
  bool was_chosen(NodeId id) const;

  const Graph& graph() const { return decision_.joint.graph; }

  const ExplainContext& context_;
  const Decision& decision_;
  Report original_;
  NodeOutcomes outcomes_;
  Reasons reasons_;
  std::optional<CutView> cut_;                 // if a cut decided
  std::unordered_set<std::string> offloaded_;  // of saved values
};

}  // namespace fxcut
