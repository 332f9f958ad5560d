// Checkpointed regions that are still calls become part of the graph.
#include "normalise/inline_checkpoints.h"

#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"

namespace fxcut {
namespace {

using enum CheckpointPolicy;

JointGraph inlined(const std::string& text) { return inline_checkpoints(joint_graph(text)); }

const std::string kTwoResults = subgraphs_line({{"body", R"(
    y = placeholder
    z = placeholder
    a = aten.sin.default(y)
    b = aten.mul.Tensor(a, z)
    return a, b)"}});

TEST(InlineCheckpoints, ACallIsReplacedByItsBody) {
  EXPECT_EQ(text_of(inlined(kTwoResults + R"(
    x = placeholder
    w = placeholder
    f = get_attr body
    call = higher_order.tag_activation_checkpoint(f, x, w, use_reentrant=False)
    second = operator.getitem(call, 1)
    first = operator.getitem(call, 0)
    c = aten.add.Tensor(first, second)
    return c)")
                        .graph),
            "x = placeholder\n"
            "w = placeholder\n"
            "f = get_attr body\n"
            "a = aten.sin.default(x)\n"
            "b = aten.mul.Tensor(a, w)\n"
            "c = aten.add.Tensor(a, b)\n"
            "return c\n");
}

TEST(InlineCheckpoints, AGraphWithoutSuchCallsStaysAsItIs) {
  const std::string text = "x = placeholder\na = aten.sin.default(x)\nreturn a";
  EXPECT_EQ(text_of(inlined(text).graph), text_of(joint_graph(text).graph));
}

const std::string kOneResult = subgraphs_line({{"body", R"(
    y = placeholder
    a = aten.sin.default(y)
    return a)"}});

TEST(InlineCheckpoints, TheOnlyResultMayBeTakenAsItIs) {
  EXPECT_EQ(text_of(inlined(kOneResult + R"(
    x = placeholder
    f = get_attr body
    call = higher_order.tag_activation_checkpoint(f, x)
    b = aten.cos.default(call)
    return b)")
                        .graph),
            "x = placeholder\nf = get_attr body\na = aten.sin.default(x)\nb = aten.cos.default(a)\nreturn b\n");
}

TEST(InlineCheckpoints, ABodysNodesGetNamesThatTheGraphDoesNotHave) {
  EXPECT_EQ(names_of(inlined(kOneResult + R"(
    x = placeholder
    f = get_attr body
    first = higher_order.tag_activation_checkpoint(f, x)
    a = aten.cos.default(first)
    second = higher_order.tag_activation_checkpoint(f, a)
    return second)")
                         .graph),
            "x f a_1 a a_2 output");
}

TEST(InlineCheckpoints, EachCallIsARegionOfItsOwnToBePreferablyRecomputed) {
  const Graph graph = inlined(kOneResult + R"(
    x = placeholder
    f = get_attr body
    before = aten.cos.default(x) ac_graph_id=4
    first = higher_order.tag_activation_checkpoint(f, before)
    second = higher_order.tag_activation_checkpoint(f, first)
    return second)")
                          .graph;
  EXPECT_EQ(node_named(graph, "before").meta.recompute, std::nullopt);
  EXPECT_EQ(node_named(graph, "before").meta.ac_graph_id, 4);
  for (const char* name : {"a", "a_1"}) EXPECT_EQ(node_named(graph, name).meta.recompute, PreferRecompute) << name;
  EXPECT_EQ(node_named(graph, "a").meta.ac_graph_id, 5) << "a number that no other region has";
  EXPECT_EQ(node_named(graph, "a_1").meta.ac_graph_id, 6);
}

TEST(InlineCheckpoints, TheBodysOwnTagsHold) {
  const Graph graph = inlined(subgraphs_line({{"body",
                                               "y = placeholder\na = aten.mm.default(y, y) recompute=MUST_SAVE\n"
                                               "b = aten.sin.default(a)\nreturn b"}}) +
                              R"(
    x = placeholder
    f = get_attr body
    call = higher_order.tag_activation_checkpoint(f, x)
    return call)")
                          .graph;
  EXPECT_EQ(node_named(graph, "a").meta.recompute, MustSave);
  EXPECT_EQ(node_named(graph, "b").meta.recompute, PreferRecompute);
}

TEST(InlineCheckpoints, ABodyMayReturnAnInput) {
  EXPECT_EQ(text_of(inlined(subgraphs_line({{"body", "y = placeholder\na = aten.sin.default(y)\nreturn y, a"}}) + R"(
    x = placeholder
    f = get_attr body
    call = higher_order.tag_activation_checkpoint(f, x)
    same = operator.getitem(call, 0)
    b = aten.cos.default(same)
    return b)")
                        .graph),
            "x = placeholder\nf = get_attr body\na = aten.sin.default(x)\nb = aten.cos.default(x)\nreturn b\n");
}

TEST(InlineCheckpoints, CallsInABodyAreInlinedAsWell) {
  const std::string outer = subgraphs_line({{"inner", "z = placeholder\nb = aten.cos.default(z)\nreturn b"}}) + R"(
    y = placeholder
    a = aten.sin.default(y)
    g = get_attr inner
    c = higher_order.tag_activation_checkpoint(g, a)
    return c)";
  EXPECT_EQ(text_of(inlined(subgraphs_line({{"outer", outer}}) + R"(
    x = placeholder
    f = get_attr outer
    call = higher_order.tag_activation_checkpoint(f, x)
    return call)")
                        .graph),
            "x = placeholder\nf = get_attr outer\na = aten.sin.default(x)\ng = get_attr inner\n"
            "b = aten.cos.default(a)\nreturn b\n");
}

// A body that has a subgraph of its own.
const std::string kWithSubgraph =
    subgraphs_line({{"body", subgraphs_line({{"inner", "z = placeholder\nreturn z"}}) + R"(
    y = placeholder
    g = get_attr inner
    r = higher_order.invoke_subgraph(g, "inner", y)
    return r)"}});

TEST(InlineCheckpoints, SubgraphsOfABodyBecomeTheGraphs) {
  const JointGraph joint = inlined(kWithSubgraph + R"(
    x = placeholder
    f = get_attr body
    call = higher_order.tag_activation_checkpoint(f, x)
    return call)");
  ASSERT_EQ(joint.subgraphs.size(), 2u);
  EXPECT_EQ(joint.subgraphs[1].name, "inner");
}

TEST(InlineCheckpoints, ABodyThatIsCalledTwiceMayHaveSubgraphs) {
  const JointGraph joint = inlined(kWithSubgraph + R"(
    x = placeholder
    f = get_attr body
    first = higher_order.tag_activation_checkpoint(f, x)
    second = higher_order.tag_activation_checkpoint(f, first)
    return second)");
  EXPECT_EQ(names_of(joint.graph), "x f g r g_1 r_1 output");
}

std::string refusal(const std::string& text) {
  try {
    inlined(text);
    return "";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    return failure.what();
  }
}

TEST(InlineCheckpoints, ACallWithoutABodyStays) {
  const std::string text =
      "x = placeholder\nf = get_attr body\ncall = higher_order.tag_activation_checkpoint(f, x)\nreturn call\n";
  EXPECT_EQ(text_of(inlined(text).graph), text);
}

TEST(InlineCheckpoints, ACallWithAnotherNumberOfArgumentsThanItsBodyTakesIsRefused) {
  const auto with = [](const std::string& arguments) {
    return refusal(kOneResult + "x = placeholder\nf = get_attr body\ncall = higher_order.tag_activation_checkpoint(f" +
                   arguments + ")\nreturn call");
  };
  EXPECT_NE(with("").find("'call'"), std::string::npos);
  EXPECT_NE(with(", x, x").find("'call'"), std::string::npos);
  EXPECT_NE(with(", 2").find("'call'"), std::string::npos) << "a constant";
}

TEST(InlineCheckpoints, AnItemThatTheBodyDoesNotReturnIsRefused) {
  EXPECT_NE(refusal(kOneResult + R"(
    x = placeholder
    f = get_attr body
    call = higher_order.tag_activation_checkpoint(f, x)
    item = operator.getitem(call, 1)
    return item)")
                .find("'item' takes item 1 of 'call'"),
            std::string::npos);
}

}  // namespace
}  // namespace fxcut
