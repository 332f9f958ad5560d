#include "replay/replay.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_set>

#include "classify/purity.h"
#include "diagnostic/diagnostic.h"
#include "frontier/never_recomputed.h"

namespace fxcut {
namespace {

using NodeNames = std::unordered_set<std::string_view>;

NodeNames recomputed_in(const Report& report) {
  NodeNames names;
  for (const RecomputedValue& row : report.recomputed_values) names.insert(row.name);
  return names;
}

// Refuses the nodes with `is_new` that must not be recomputed.
void refuse(const Analysis& analysis, auto&& is_new) {
  const std::vector<Ban> never = never_recomputed(analysis);
  std::vector<Diagnostic> wrong;
  for (std::size_t i = 0; i < analysis.graph().size(); ++i) {
    const Node& node = analysis.graph().nodes[i];
    if (never[i] == Ban::None || node.must_recompute() || !is_new(node_id(i))) continue;
    wrong.push_back({"",
                     fmt::format("the decision neither saves '{}' nor may it be recomputed: {}", node.name,
                                 phrase_for(never[i])),
                     "let the decision save it, or what is computed from it"});
  }
  if (!wrong.empty()) throw Failure(ExitStatus::NoPartition, std::move(wrong));
}

}  // namespace

Failure saves_too_little(const Failure& failure) {
  std::vector<Diagnostic> diagnostics = failure.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    diagnostic.hint = "let the decision save that value, or one between the two";
  }
  return Failure(failure.status(), std::move(diagnostics));
}

std::vector<NodeId> random_states_to_save(const Analysis& analysis, const ForwardBackward& sides, const Report& decision) {
  const NodeNames recorded = recomputed_in(decision);
  const auto is_new = [&](NodeId id) {
    const Node& node = analysis.node(id);
    return node.is_call() && draws_numbers(node) && sides.forward.computes(id) && sides.backward.computes(id) &&
           (decision.frontier || !recorded.contains(node.name));
  };
  refuse(analysis, is_new);
  std::vector<NodeId> random;
  for (std::size_t i = 0; i < analysis.graph().size(); ++i) {
    if (is_new(node_id(i))) random.push_back(node_id(i));
  }
  return random;
}

void refuse_wrong_recomputing(const Analysis& analysis, const Report& replayed, const Report& decision) {
  const NodeNames recorded = recomputed_in(decision), now = recomputed_in(replayed);
  refuse(analysis, [&](NodeId id) {
    const std::string& name = analysis.node(id).name;
    return now.contains(name) && !recorded.contains(name);
  });
}

}  // namespace fxcut
