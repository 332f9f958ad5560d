// Queries on a graph.
#include "graph/graph.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

std::string users_of(const Graph& graph, std::string_view name) {
  const Users users(graph);
  std::string names;
  for (const NodeId user : users.of(id_named(graph, name))) names += (names.empty() ? "" : " ") + graph[user].name;
  return names;
}

TEST(Users, AreListedOnceInExecutionOrder) {
  const Graph graph = joint_graph(R"(
    x = placeholder
    unused = placeholder
    square = aten.mul.Tensor(x, x)
    listed = aten.cat.default([square, x], out={"key": [x]})
    sliced = operator.getitem(x, slice(square, None, None))
    return listed, x, x)")
                          .graph;
  EXPECT_EQ(users_of(graph, "x"), "square listed sliced output");
  EXPECT_EQ(users_of(graph, "square"), "listed sliced");
  EXPECT_EQ(users_of(graph, "unused"), "");
  EXPECT_EQ(users_of(graph, "output"), "");
}

TEST(Users, AnEmptyGraphHasNone) { EXPECT_NO_THROW(Users(Graph{})); }

TEST(Symbols, DependOnDataAsTheGraphSaysOrElseByTheirNames) {
  const JointGraph joint = joint_graph(R"("symbols": {"u0": {"backed": true}, "s1": {"backed": false}}
    x = placeholder
    return x)");
  EXPECT_FALSE(is_unbacked(joint, "u0"));
  EXPECT_TRUE(is_unbacked(joint, "s1"));
  EXPECT_TRUE(is_unbacked(joint, "u1"));
  EXPECT_TRUE(is_unbacked(joint, "zuf0"));
  EXPECT_FALSE(is_unbacked(joint, "s0"));
  EXPECT_FALSE(is_unbacked(joint, "zf0"));
}

TEST(OutputLeaves, GoThroughListsTuplesAndDictionariesButNotSlices) {
  const JointGraph joint = joint_graph(R"(
    x = placeholder
    y = placeholder
    return x, [(y, None), {"key": x}], slice(0, None, None), 7)");
  std::string leaves;
  for (const OutputLeaf& leaf : output_leaves(joint.graph)) {
    leaves += leaf.node ? joint.graph[*leaf.node].name + " " : "constant ";
  }
  EXPECT_EQ(leaves, "x y constant x constant constant ");
}

TEST(FindSubgraph, FollowsTheCallsGetAttr) {
  const JointGraph joint = joint_graph(subgraphs_line({{"body", "y = placeholder\nreturn y"}}) + R"(
    body = placeholder
    f = get_attr body
    g = get_attr elsewhere
    call = higher_order.invoke_subgraph(f, g, body, "body")
    return call)");
  const Node& call = node_named(joint.graph, "call");
  EXPECT_EQ(find_subgraph(joint, call, 0), &joint.subgraphs.front().subgraph);
  EXPECT_EQ(find_subgraph(joint, call, 1), nullptr) << "of no subgraph";
  EXPECT_EQ(find_subgraph(joint, call, 2), nullptr) << "a placeholder of that name";
  EXPECT_EQ(find_subgraph(joint, call, 3), nullptr) << "no node";
  EXPECT_EQ(find_subgraph(joint, call, 4), nullptr) << "no argument";
}

TEST(Placeholders, AreDistinguishedByTheirTargets) {
  const auto placeholder = [](const std::string& target) {
    return joint_graph("x = placeholder " + target + "\nreturn x").graph.nodes[0];
  };
  EXPECT_TRUE(is_tangent(placeholder("tangents_1")));
  EXPECT_TRUE(is_tangent(placeholder("my_tangents")));
  EXPECT_TRUE(is_forward_seed(placeholder("fwd_seed_0")));
  EXPECT_TRUE(is_forward_seed(placeholder("fwd_base_offset_0")));
  EXPECT_TRUE(is_backward_seed(placeholder("bwd_seed_0")));
  EXPECT_TRUE(is_backward_seed(placeholder("bwd_base_offset_0")));
  for (const std::string name : {"tangents_1", "fwd_seed_0", "fwd_base_offset_0", "bwd_seed_0", "bwd_base_offset_0"}) {
    EXPECT_FALSE(is_primal(placeholder(name))) << name;
  }
  EXPECT_TRUE(is_primal(placeholder("primals_1")));
  EXPECT_TRUE(is_primal(placeholder("anything"))) << "what is nothing else is an input of the step";
  EXPECT_FALSE(is_tangent(joint_graph("tangents = aten.full.default([], 1)\nreturn tangents").graph.nodes[0]));
}

TEST(Placeholders, TheBackwardStateIsKnownByItsValue) {
  EXPECT_TRUE(is_backward_state(joint_graph("x = placeholder : backward_state\nreturn x").graph.nodes[0]));
  EXPECT_FALSE(is_backward_state(joint_graph("x = placeholder : opaque\nreturn x").graph.nodes[0]));
}

TEST(AssertOnly, IsABooleanThatOnlyAssertionsTake) {
  const Graph graph = joint_graph(R"(
    x = placeholder : symint(s0=4)
    checked = operator.gt(x, 1) : symbool(s0 > 1)
    used = operator.gt(x, 2) : symbool(s0 > 2)
    unused = operator.gt(x, 3) : symbool(s0 > 3)
    number = operator.mul(x, 3) : symint(3*s0=12)
    a = aten._assert_scalar.default(checked, "")
    b = aten._assert_scalar.default(used, "")
    c = aten._assert_scalar.default(number, "")
    d = torch.sym_not(used) : symbool(s0 <= 2)
    return d)")
                          .graph;
  const Users users(graph);
  const auto is_it = [&](std::string_view name) { return is_assert_only(graph, users, id_named(graph, name)); };
  EXPECT_TRUE(is_it("checked"));
  EXPECT_FALSE(is_it("used"));
  EXPECT_FALSE(is_it("unused"));
  EXPECT_FALSE(is_it("number"));
}

TEST(MustRecompute, MeansBothPoliciesThatAskForIt) {
  const auto tagged = [](const std::string& policy) {
    return joint_graph("x = placeholder recompute=" + policy + "\nreturn x").graph.nodes[0].must_recompute();
  };
  EXPECT_TRUE(tagged("MUST_RECOMPUTE"));
  EXPECT_TRUE(tagged("PREFER_RECOMPUTE"));
  for (const std::string policy : {"MUST_SAVE", "PREFER_SAVE", "MUST_CPU_OFFLOAD", "PREFER_CPU_OFFLOAD"}) {
    EXPECT_FALSE(tagged(policy)) << policy;
  }
}

}  // namespace
}  // namespace fxcut
