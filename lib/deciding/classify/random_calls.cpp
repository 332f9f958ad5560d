#include "classify/random_calls.h"

#include <algorithm>

#include "classify/operator_table.h"
#include "classify/purity.h"

namespace fxcut {
namespace {

bool runs_under_given_state(const Node& call) {
  return call.calls("higher_order.run_with_rng_state") || call.calls("higher_order.graphsafe_run_with_rng_state");
}

}  // namespace

bool draws_numbers(const Node& node) {
  if (!is_random(node)) return false;
  // Releases in which attention without dropout is random have no position of the dropout argument.
  const auto dropout = make_operator(node.callee->target).dropout;
  return !(dropout && has_zero_dropout(node, *dropout));
}

RandomCalls::RandomCalls(const Subgraphs& subgraphs) {
  for (const auto& [name, subgraph] : subgraphs) {
    const RandomCalls inner(subgraph.subgraphs);
    const auto& nodes = subgraph.graph.nodes;
    const bool draws = std::any_of(nodes.begin(), nodes.end(),
                                   [&](const Node& node) { return inner.contains(subgraph.graph, node); });
    if (draws) drawing_.insert(name);
  }
}

bool RandomCalls::contains(const Graph& graph, const Node& node) const {
  if (!node.is_call()) return false;
  if (node.callee->kind != Operator::Kind::HigherOrder) return draws_numbers(node);
  if (runs_under_given_state(node)) return false;
  const auto& given = node.arguments->positional;
  const bool has_random_operator =
      std::any_of(given.begin(), given.end(), [](const Argument& a) { return a.callee && a.callee->seeded_random; });
  if (has_random_operator || drawing_.empty()) return has_random_operator;
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](NodeId input) {
    return graph[input].opcode == Opcode::GetAttr && drawing_.contains(graph[input].target);
  });
}

}  // namespace fxcut
