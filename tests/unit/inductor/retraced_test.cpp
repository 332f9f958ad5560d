// The strides of a backward graph for the strides in which the forward saves values.
#include "inductor/retraced.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "graph_text.h"

namespace fxcut {
namespace {

constexpr std::string_view kImage = " : f32[2, 16, 8, 8]";

// The strides of the node `name` where `saved` has channels last.
Extents strides_in(const std::string& text, std::string_view name) {
  const JointGraph joint = joint_graph(text);
  const Graph graph = retraced(joint.graph, {{"saved", channels_last_strides(Extents{2, 16, 8, 8})}});
  const auto node = std::ranges::find(graph.nodes, name, &Node::name);
  return strides_of(node->value->tensor);
}

std::string with(const std::string& lines) {
  return "saved = placeholder" + std::string(kImage) + "\nother = placeholder" + std::string(kImage) +
         "\nscale = placeholder : f32[16, 1, 1]\n" + lines + "return x |";
}

const Extents kLast = {1024, 1, 128, 16}, kContiguous = {1024, 64, 8, 1};

TEST(Retraced, ElementwiseOperatorsKeepTheOrderOfTheirFirstOperandThatHasOne) {
  EXPECT_EQ(strides_in(with("x = aten.relu.default(saved)" + std::string(kImage) + "\n"), "x"), kLast);
  EXPECT_EQ(strides_in(with("x = aten.mul.Tensor(saved, scale)" + std::string(kImage) + "\n"), "x"), kLast);
  EXPECT_EQ(strides_in(with("x = aten.mul.Tensor(scale, saved)" + std::string(kImage) + "\n"), "x"), kLast);
  EXPECT_EQ(strides_in(with("x = aten.mul.Tensor(other, saved)" + std::string(kImage) + "\n"), "x"), kContiguous);
  EXPECT_EQ(strides_in(with("x = aten.relu.default(other)" + std::string(kImage) + "\n"), "x"), kContiguous);
}

TEST(Retraced, RequestedMemoryFormatsAreHonoured) {
  EXPECT_EQ(strides_in(with("x = aten.clone.default(saved, memory_format=memory_format(torch.contiguous_format))" +
                            std::string(kImage) + "\n"), "x"), kContiguous);
}

TEST(Retraced, AConcatenationKeepsChannelsLastIfAllTermsHaveThem) {
  EXPECT_EQ(strides_in(with("x = aten.cat.default([saved, saved], 1) : f32[2, 32, 8, 8]\n"), "x"), (Extents{2048, 1, 256, 32}));
  EXPECT_EQ(strides_in(with("x = aten.cat.default([saved, other], 1) : f32[2, 32, 8, 8]\n"), "x"), (Extents{2048, 64, 8, 1}));
}

TEST(Retraced, AViewHasTheStridesOfWhatItViewsOrIsACopy) {
  EXPECT_EQ(strides_in(with("x = aten.permute.default(saved, [0, 2, 3, 1]) : f32[2, 8, 8, 16]\n"), "x"),
            (Extents{1024, 128, 16, 1}));
  EXPECT_EQ(strides_in(with("x = aten.view.default(saved, [2, 16, 64]) : f32[2, 16, 64]\n"), "x"), (Extents{1024, 1, 16}));
  EXPECT_EQ(strides_in(with("x = aten.view.default(saved, [32, 64]) : f32[32, 64]\n"), "x"), (Extents{64, 1}));
}

TEST(Retraced, ConvolutionsAndPoolingKeepChannelsLast) {
  const std::string pool =
      "pool = prims._low_memory_max_pool_with_offsets.default(saved, [2, 2], [2, 2], [0, 0], [1, 1], False) : "
      "tuple(f32[2, 16, 4, 4], int8[2, 16, 4, 4])\nx = operator.getitem(pool, 1) : int8[2, 16, 4, 4]\n";
  EXPECT_EQ(strides_in(with(pool), "x"), (Extents{256, 1, 64, 16}));
  const std::string convolution =
      "weight = placeholder : f32[4, 16, 3, 3]\nx = aten.convolution.default(saved, weight, None, [1, 1], [1, 1], [1, 1], False, "
      "[0, 0], 1) : f32[2, 4, 8, 8]\n";
  EXPECT_EQ(strides_in(with(convolution), "x"), (Extents{256, 1, 32, 4}));
}

constexpr std::string_view kStale =
    "attended = placeholder : f32[2, 4, 8, 16]{512, 16, 64, 1}@0\n"
    "permute = aten.permute.default(attended, [0, 2, 1, 3]) : f32[2, 8, 4, 16]{512, 16, 128, 1}@0\n"
    "clone = aten.clone.default(permute, memory_format=memory_format(torch.contiguous_format)) : f32[2, 8, 4, 16]\n"
    "x = aten.view.default(clone, [16, 64]) : f32[16, 64]\n"
    "return x |";

TEST(Retraced, AViewHasItsStridesWhereAReplacementLeftOthers) {
  const JointGraph joint = joint_graph(kStale);
  EXPECT_TRUE(is_stale(joint.graph));
  const Graph graph = retraced(joint.graph, {});
  EXPECT_EQ(strides_of(graph.nodes[1].value->tensor), (Extents{512, 64, 16, 1}));
  EXPECT_FALSE(is_stale(graph));
}

TEST(Retraced, ACopyInTheStridesOfWhatItCopiesIsRemoved) {
  std::string text(kStale);
  EXPECT_EQ(retraced(joint_graph(text).graph, {}).nodes[3].inputs.front(), node_id(2)) << "else an input would be a result";
  text.replace(text.find("return x"), 8, "sin = aten.sin.default(x) : f32[16, 64]\nreturn sin");
  EXPECT_EQ(retraced(joint_graph(text).graph, {}).nodes[3].inputs.front(), node_id(1));
}

}  // namespace
}  // namespace fxcut
