// Gradients of ReLUs by booleans: which are, and what they are made of.
#include "normalise/threshold_backward.h"

#include <gtest/gtest.h>

#include <string>

#include "graph_text.h"

namespace fxcut {
namespace {

// A ReLU whose result the forward hands on, and the backward looks at the sign of.
const std::string kForward = R"(
  primals_1 = placeholder : f32[4, 8]{8, 1}@0
  tangents_1 = placeholder : f32[4, 8]{8, 1}@1
  y = aten.relu.default(primals_1) : f32[4, 8]{8, 1}@2
  z = aten.sin.default(y) : f32[4, 8]{8, 1}@3
)";
const std::string kBackward = R"(
  d = aten.detach.default(y) : f32[4, 8]{8, 1}@2
  g = aten.threshold_backward.default(tangents_1, d, 0) : f32[4, 8]{8, 1}@4
  return z | g)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

JointGraph decomposed(const std::string& text) { return decompose_threshold_backward(joint_graph(text), Compress::Exact); }

bool is_left_alone(const std::string& text) {
  return decomposed(text).graph.nodes[index_of(id_named(decomposed(text).graph, "g"))].calls("aten.threshold_backward.default");
}

TEST(ThresholdBackward, TheBooleansComeRightAfterTheValueAndTheGradientKeepsItsName) {
  const Graph graph = decomposed(kForward + kBackward).graph;
  EXPECT_EQ(names_of(graph), "primals_1 tangents_1 y y_le z d g output");
  const Node& mask = graph[id_named(graph, "y_le")];
  EXPECT_TRUE(mask.calls("aten.le.Scalar"));
  EXPECT_EQ(mask.inputs, std::vector{id_named(graph, "y")});
  EXPECT_EQ(mask.value->tensor.dtype->name, "bool");
  EXPECT_EQ(mask.storage(), 5);
  const Node& gradient = graph[id_named(graph, "g")];
  EXPECT_TRUE(gradient.calls("aten.where.ScalarSelf"));
  EXPECT_EQ(gradient.inputs, (std::vector{id_named(graph, "y_le"), id_named(graph, "tangents_1")}));
  EXPECT_EQ(gradient.storage(), 4);
}

TEST(ThresholdBackward, TwoGradientsOfOneValueShareTheBooleans) {
  const std::string second = "  h = aten.threshold_backward.default(g, d, 0) : f32[4, 8]{8, 1}@5\n  return z | h";
  const Graph graph = decomposed(kForward + replaced(kBackward, "  return z | g", second)).graph;
  EXPECT_EQ(names_of(graph), "primals_1 tangents_1 y y_le z d g h output");
  EXPECT_EQ(graph[id_named(graph, "h")].inputs, (std::vector{id_named(graph, "y_le"), id_named(graph, "g")}));
}

TEST(ThresholdBackward, ABooleanIsTaggedAsItsValue) {
  const Graph graph = decomposed(replaced(kForward, "@2", "@2 recompute=MUST_RECOMPUTE ac_graph_id=7") + kBackward).graph;
  const Meta& meta = graph[id_named(graph, "y_le")].meta;
  EXPECT_EQ(meta.recompute, CheckpointPolicy::MustRecompute);
  EXPECT_EQ(meta.ac_graph_id, 7);
}

TEST(ThresholdBackward, StaysWhereTheBackwardNeedsTheValueItself) {
  const std::string use = "  w = aten.mul.Tensor(tangents_1, y) : f32[4, 8]{8, 1}@6\n";
  EXPECT_TRUE(is_left_alone(kForward + use + replaced(kBackward, "z | g", "z | g, w")));
  const std::string view = "  v = aten.view.default(y, [32]) : f32[32]{1}@2\n"
                           "  w = aten.mul.Tensor(tangents_1, v) : f32[32]{1}@6\n";
  EXPECT_TRUE(is_left_alone(kForward + view + replaced(kBackward, "z | g", "z | g, w")));
  EXPECT_FALSE(is_left_alone(kForward + "  w = aten.cos.default(y) : f32[4, 8]{8, 1}@6\n  x = aten.mul.Tensor(tangents_1, w)\n" +
                             replaced(kBackward, "z | g", "z | g, x")));
}

TEST(ThresholdBackward, ItMayBeDetachedInTheBackward) {
  EXPECT_FALSE(is_left_alone(kForward + replaced(kBackward, "@2", "@2 partitioner_tag=must_be_in_backward")));
}

TEST(ThresholdBackward, StaysWithOtherThresholdsAndLayouts) {
  EXPECT_TRUE(is_left_alone(kForward + replaced(kBackward, "d, 0)", "d, 1)")));
  EXPECT_TRUE(is_left_alone(kForward + replaced(kBackward, "d, 0)", "d, 0.0)")));
  EXPECT_TRUE(is_left_alone(kForward + replaced(kBackward, "d, 0) : f32[4, 8]{8, 1}", "d, 0) : f32[4, 8]{1, 4}")));
  EXPECT_TRUE(is_left_alone(kForward + replaced(kBackward, "d, 0) : f32[4, 8]", "d, 0) : bf16[4, 8]")));
  EXPECT_FALSE(is_left_alone(replaced(kForward, "tangents_1 = placeholder : f32[4, 8]{8, 1}",
                                      "tangents_1 = placeholder : f32[4, 8]{0, 0}") + kBackward));
  EXPECT_TRUE(is_left_alone(replaced(kForward, "y = aten.relu.default(primals_1) : f32[4, 8]{8, 1}",
                                     "y = aten.relu.default(primals_1) : f32[4, 8]{16, 1}") + kBackward));
}

TEST(ThresholdBackward, StaysWhereTheValueIsWrittenTo) {
  EXPECT_TRUE(is_left_alone(kForward + "  c = aten.copy_.default(y, z) : f32[4, 8]{8, 1}@2\n" + kBackward));
}

TEST(ThresholdBackward, StaysOfInputsAndOfWhatTheBackwardComputes) {
  EXPECT_TRUE(is_left_alone(kForward + replaced(kBackward, "aten.detach.default(y) : f32[4, 8]{8, 1}@2",
                                                "aten.detach.default(primals_1) : f32[4, 8]{8, 1}@0")));
  EXPECT_TRUE(is_left_alone(kForward + replaced(kBackward, "aten.detach.default(y) : f32[4, 8]{8, 1}@2",
                                                "aten.relu.default(tangents_1) : f32[4, 8]{8, 1}@6")));
}

}  // namespace
}  // namespace fxcut
