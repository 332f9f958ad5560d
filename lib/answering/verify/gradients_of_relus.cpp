#include "verify/gradients_of_relus.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <unordered_set>
#include <utility>

#include "classify/signs_of_relus.h"
#include "graph/naming.h"
#include "graph/rebuild.h"

namespace fxcut {
namespace {

const std::string kThresholdBackward = fmt::format("aten.threshold_backward.default({}, {}, 0)", kHole, kHole);
const std::string kWhere = fmt::format("aten.where.ScalarSelf({}, 0, {})", kHole, kHole);
const std::string kIsAtMostZero = fmt::format("aten.le.Scalar({}, 0)", kHole);
const std::string kDetach = fmt::format("aten.detach.default({})", kHole);

Term without_detach(const Terms& terms, Term term) {
  while (terms.head(term) == kDetach) term = terms.operands(term).front();
  return term;
}

Term content_of(Terms& terms, Term gradient, Term value) { return terms.make("gradient of a ReLU", {gradient, value}); }

Graph with_comparisons(Graph graph) {
  std::unordered_set<NodeId> values;
  for (const Node& node : graph.nodes) {
    if (const auto value = value_of_gradient(graph, node)) values.insert(*value);
  }
  if (values.empty()) return graph;
  Namespace names(graph);
  std::int64_t storage = first_unused_storage(graph);
  Rebuild extended(graph);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const NodeId copy = extended.copy(node_id(i));
    if (!values.contains(node_id(i))) continue;
    const Node& value = graph.nodes[i];
    extended.append(signs_of(value, copy, names.create(name_of_signs(value)), storage++));
  }
  return extended.take();
}

}  // namespace

void GradientsOfRelus::note(Terms& terms, Term of_joint) {
  if (terms.head(of_joint) != kThresholdBackward) return;
  const Term gradient = terms.operands(of_joint)[0], value = terms.operands(of_joint)[1];
  by_content_.emplace(content_of(terms, gradient, without_detach(terms, value)), of_joint);
}

Term GradientsOfRelus::in_joint(Terms& terms, Term of_side) const {
  if (by_content_.empty() || terms.head(of_side) != kWhere) return of_side;
  const Term mask = terms.operands(of_side)[0], gradient = terms.operands(of_side)[1];
  if (terms.head(mask) != kIsAtMostZero) return of_side;
  const auto found = by_content_.find(content_of(terms, gradient, terms.operands(mask).front()));
  return found == by_content_.end() ? of_side : found->second;
}

JointGraph with_signs_of_relus(JointGraph joint) {
  joint.graph = with_comparisons(std::move(joint.graph));
  if (joint.step) {
    WholeStep whole = *joint.step;
    whole.graph = with_comparisons(std::move(whole.graph));
    joint.step = std::make_shared<const WholeStep>(std::move(whole));
  }
  return joint;
}

}  // namespace fxcut
