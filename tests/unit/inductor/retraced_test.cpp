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

TEST(Retraced, WhatAsksForAFormatHasIt) {
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

}  // namespace
}  // namespace fxcut
