// A barrier on the inputs of each recomputed region.
#include "finish/recompute_barrier.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

// The backward with barriers; `again` are the names of the nodes that run again.
std::string with_barriers(std::string_view text, const std::vector<std::string>& again,
                          const std::string& barrier = "xla.optimization_barrier.default") {
  const Graph backward = joint_graph(text).graph;
  std::vector<bool> is_recomputed(backward.size(), false);
  for (const std::string& name : again) is_recomputed[index_of(id_named(backward, name))] = true;
  Namespace names(backward);
  return text_of(insert_barriers(backward, is_recomputed, barrier, names));
}

TEST(RecomputeBarrier, StandsOnTheInputsOfARegion) {
  EXPECT_EQ(with_barriers(R"(
    x = placeholder : f32[4]
    w = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.mul.Tensor(x, w) : f32[4]
    b = aten.sin.default(a) : f32[4]
    g = aten.mul.Tensor(tangents_1, b) : f32[4]
    h = aten.mul.Tensor(g, x) : f32[4]
    return h)",
                          {"a", "b"}),
            "x = placeholder\n"
            "w = placeholder\n"
            "tangents_1 = placeholder\n"
            "optimization_barrier = xla.optimization_barrier.default([x, w])\n"
            "getitem = operator.getitem(optimization_barrier, 0)\n"
            "getitem_1 = operator.getitem(optimization_barrier, 1)\n"
            "a = aten.mul.Tensor(getitem, getitem_1)\n"
            "b = aten.sin.default(a)\n"
            "g = aten.mul.Tensor(tangents_1, b)\n"
            "h = aten.mul.Tensor(g, x)\n"
            "return h\n")
      << "what is not recomputed takes x itself";
}

TEST(RecomputeBarrier, EachRegionHasItsOwn) {
  EXPECT_EQ(with_barriers(R"(
    x = placeholder : f32[4]
    a = aten.sin.default(x) : f32[4]
    tangents_1 = placeholder : f32[4]
    g = aten.mul.Tensor(tangents_1, a) : f32[4]
    b = aten.cos.default(x) : f32[4]
    h = aten.mul.Tensor(g, b) : f32[4]
    return h)",
                          {"a", "b"}),
            "x = placeholder\n"
            "optimization_barrier = xla.optimization_barrier.default([x])\n"
            "getitem = operator.getitem(optimization_barrier, 0)\n"
            "a = aten.sin.default(getitem)\n"
            "tangents_1 = placeholder\n"
            "g = aten.mul.Tensor(tangents_1, a)\n"
            "optimization_barrier_1 = xla.optimization_barrier.default([x])\n"
            "getitem_1 = operator.getitem(optimization_barrier_1, 0)\n"
            "b = aten.cos.default(getitem_1)\n"
            "h = aten.mul.Tensor(g, b)\n"
            "return h\n");
}

TEST(RecomputeBarrier, BackwardNodesAfterARegionsStartAreNotBehindTheBarrier) {
  EXPECT_EQ(with_barriers(R"(
    x = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    a = aten.sin.default(x) : f32[4]
    g = aten.mul.Tensor(tangents_1, a) : f32[4]
    b = my.wait.default(a, g) : f32[4]
    return b)",
                          {"a", "b"}),
            "x = placeholder\n"
            "tangents_1 = placeholder\n"
            "optimization_barrier = xla.optimization_barrier.default([x])\n"
            "getitem = operator.getitem(optimization_barrier, 0)\n"
            "a = aten.sin.default(getitem)\n"
            "g = aten.mul.Tensor(tangents_1, a)\n"
            "b = my.wait.default(a, g)\n"
            "return b\n");
}

TEST(RecomputeBarrier, BranchesThatMeetAreOneRegion) {
  EXPECT_EQ(with_barriers(R"(
    x = placeholder : f32[4]
    y = placeholder : f32[4]
    a = aten.sin.default(x) : f32[4]
    b = aten.sin.default(y) : f32[4]
    c = aten.add.Tensor(a, b) : f32[4]
    return c)",
                          {"a", "b", "c"}),
            "x = placeholder\n"
            "y = placeholder\n"
            "optimization_barrier = xla.optimization_barrier.default([x, y])\n"
            "getitem = operator.getitem(optimization_barrier, 0)\n"
            "getitem_1 = operator.getitem(optimization_barrier, 1)\n"
            "a = aten.sin.default(getitem)\n"
            "b = aten.sin.default(getitem_1)\n"
            "c = aten.add.Tensor(a, b)\n"
            "return c\n");
}

TEST(RecomputeBarrier, AnInputThatIsTakenTwiceIsInItOnceAndSizesAreNot) {
  EXPECT_EQ(with_barriers(R"(
    s = placeholder : symint(s0=4)
    x = placeholder : f32[s0=4]
    a = aten.mul.Tensor(x, x) : f32[s0=4]
    b = aten.view.default(a, [s]) : f32[s0=4]
    return b)",
                          {"a", "b"}),
            "s = placeholder\n"
            "x = placeholder\n"
            "optimization_barrier = xla.optimization_barrier.default([x])\n"
            "getitem = operator.getitem(optimization_barrier, 0)\n"
            "a = aten.mul.Tensor(getitem, getitem)\n"
            "b = aten.view.default(a, [s])\n"
            "return b\n");
}

TEST(RecomputeBarrier, ItsOperatorIsASetting) {
  EXPECT_EQ(
      with_barriers("x = placeholder : f32[4]\na = aten.sin.default(x) : f32[4]\nreturn a", {"a"}, "my.fence.default"),
      "x = placeholder\nfence = my.fence.default([x])\ngetitem = operator.getitem(fence, 0)\n"
      "a = aten.sin.default(getitem)\nreturn a\n");
}

TEST(RecomputeBarrier, ItsItemsAreWhatGoesIn) {
  const Graph backward = joint_graph("x = placeholder : f32[4]\na = aten.sin.default(x) : f32[4]\nreturn a").graph;
  Namespace names(backward);
  const Graph graph = insert_barriers(backward, {false, true, false}, "xla.optimization_barrier.default", names);
  EXPECT_EQ(node_named(graph, "getitem").value->tensor.shape[0].hint, 4);
  ASSERT_EQ(node_named(graph, "optimization_barrier").value->items.size(), 1u);
}

TEST(RecomputeBarrier, WithoutRecomputationThereIsNone) {
  const std::string text = "x = placeholder : f32[4]\na = aten.sin.default(x) : f32[4]\nreturn a";
  EXPECT_EQ(with_barriers(text, {}), text_of(joint_graph(text).graph));
}

TEST(RecomputeBarrier, CallsThatTheForwardMakesTooAreRecomputed) {
  const JointGraph joint =
      joint_graph("x = placeholder\na = aten.sin.default(x)\nb = aten.cos.default(x)\nreturn a, b");
  Graph forward = joint.graph;
  forward.nodes[2].name = "elsewhere";
  EXPECT_EQ(find_recomputed(forward, joint.graph), (std::vector<bool>{false, true, false, false}));
}

}  // namespace
}  // namespace fxcut
