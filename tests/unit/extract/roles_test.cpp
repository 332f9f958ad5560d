// The side that needs a node, and its distance from the backward.
#include "extract/roles.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

std::string named(const Graph& graph, const std::vector<bool>& chosen) {
  std::string names;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (chosen[i]) names += (names.empty() ? "" : " ") + graph.nodes[i].name;
  }
  return names;
}

constexpr std::string_view kStepOfRoles = R"(
  primals_1 = placeholder
  tangents_1 = placeholder
  sin = aten.sin.default(primals_1)
  cos = aten.cos.default(sin)
  only_for_backward = aten.neg.default(sin)
  grad = aten.mul.Tensor(tangents_1, only_for_backward)
  return cos | grad, primals_1)";

TEST(Roles, ForwardAndBackwardNodes) {
  const AnalysedGraph graph(kStepOfRoles);
  EXPECT_EQ(named(graph.joint.graph, graph.roles.required_forward), "primals_1 sin cos");
  EXPECT_EQ(named(graph.joint.graph, graph.roles.tangents_closure), "tangents_1 grad output");
  EXPECT_EQ(named(graph.joint.graph, graph.roles.required_backward), "primals_1 tangents_1 grad output");
  EXPECT_FALSE(graph.roles.backward_is_empty);
  EXPECT_EQ(graph.roles.forward_order[graph.index("cos")], 2u);
}

TEST(Roles, OnlyGradientItemsOfControlDepsAreOfTheBackwardSince2_15) {
  const std::string text = subgraphs_line({{"body", "d0 = placeholder\nd1 = placeholder\nreturn None, d0, d1"}}) + R"(
    primals_1 = placeholder
    tangents_1 = placeholder
    body = get_attr body
    call = higher_order.control_deps((), body, primals_1, tangents_1)
    result = operator.getitem(call, 0)
    first = operator.getitem(call, 1)
    second = operator.getitem(call, 2)
    third = operator.getitem(call, 3)
    waits = higher_order.control_deps((call,), body, primals_1, primals_1)
    return primals_1 | second)";
  const AnalysedGraph newer(made_by(Release{15}) + text), older(made_by(Release{13}) + text);
  EXPECT_EQ(named(newer.joint.graph, newer.roles.tangents_closure), "tangents_1 call result second third waits output");
  EXPECT_EQ(named(older.joint.graph, older.roles.tangents_closure), "tangents_1 call result first second third waits "
                                                                    "output");
}

TEST(Roles, InputsArePrimalsThenForwardSeeds) {
  const AnalysedGraph graph(R"(
    fwd_seed_0 = placeholder
    primals_1 = placeholder
    bwd_base_offset_0 = placeholder
    tangents_1 = placeholder
    fwd_base_offset_0 = placeholder
    primals_2 = placeholder
    return primals_1 | tangents_1)");
  std::string names;
  for (const NodeId id : graph.roles.inputs) names += graph.joint.graph[id].name + " ";
  EXPECT_EQ(names, "primals_1 primals_2 fwd_seed_0 fwd_base_offset_0 ");
}

TEST(Roles, APlaceholderIsJudgedByItsTarget) {
  const AnalysedGraph graph("x = placeholder tangents_1\ny = placeholder primals_1\nreturn y | x");
  EXPECT_EQ(named(graph.joint.graph, graph.roles.tangents_closure), "x output");
}

TEST(Roles, NodesTiedToTheBackwardBelongToIt) {
  const AnalysedGraph graph(R"(
    primals_1 = placeholder
    sin = aten.sin.default(primals_1) partitioner_tag=must_be_in_backward
    cos = aten.cos.default(sin)
    exp = aten.exp.default(primals_1)
    return exp | cos)");
  EXPECT_EQ(named(graph.joint.graph, graph.roles.tangents_closure), "sin cos output");
}

TEST(Roles, TheForwardHasItsImpureOperators) {
  const AnalysedGraph graph(R"(
    primals_1 = placeholder
    tangents_1 = placeholder
    sin = aten.sin.default(primals_1)
    written = aten.copy_.default(primals_1, sin)
    exp = aten.exp.default(primals_1)
    return exp | tangents_1)");
  EXPECT_EQ(named(graph.joint.graph, graph.roles.required_forward), "primals_1 sin written exp");
}

TEST(Roles, AStepWithoutABackward) {
  const AnalysedGraph graph("primals_1 = placeholder\nsin = aten.sin.default(primals_1)\nreturn sin");
  EXPECT_TRUE(graph.roles.backward_is_empty);
}

TEST(Roles, AGradientMayBeNoneButNoOtherConstant) {
  const AnalysedGraph none("primals_1 = placeholder\nreturn primals_1 | None");
  EXPECT_TRUE(none.roles.backward_is_empty);
  try {
    const AnalysedGraph one("primals_1 = placeholder\nreturn primals_1 | 1");
    FAIL() << "a constant gradient was accepted";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_STREQ(failure.what(),
                 "fxcut: error: output 1 of 'output', a gradient, is a constant\n"
                 "  a gradient is a node or null; check num_fwd_outputs");
  }
}

TEST(Distance, CountsNodesUpToTheBackward) {
  const AnalysedGraph graph(R"(
    primals_1 = placeholder
    tangents_1 = placeholder
    a = aten.sin.default(primals_1)
    b = aten.cos.default(a)
    c = aten.cos.default(b)
    d = aten.exp.default(primals_1)
    grad = aten.mul.Tensor(tangents_1, c)
    shortcut = aten.mul.Tensor(grad, a)
    return c, d | shortcut)");
  EXPECT_EQ(graph.distance[graph.index("c")], 1);
  EXPECT_EQ(graph.distance[graph.index("b")], 2);
  EXPECT_EQ(graph.distance[graph.index("a")], 1);
  EXPECT_EQ(graph.distance[graph.index("primals_1")], 2);
  EXPECT_EQ(graph.distance[graph.index("grad")], 0);
  EXPECT_EQ(graph.distance[graph.index("d")], kFarFromBackward);
}

}  // namespace
}  // namespace fxcut
