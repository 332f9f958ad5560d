// The sides of the products that calls run.
#include "cost/products.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

std::vector<Product> products_in(const std::string& inputs, const std::string& call) {
  const JointGraph joint = joint_graph(inputs + "call = " + call + "\nreturn call");
  return products_of(joint.graph, node_named(joint.graph, "call"));
}

using Products = std::vector<Product>;

TEST(Products, AreThoseOfMatrices) {
  const std::string inputs = "a = placeholder : f32[4, 6]\nb = placeholder : f32[6, 8]\nbias = placeholder : f32[8]\n";
  EXPECT_EQ(products_in(inputs, "aten.mm.default(a, b) : f32[4, 8]"), (Products{{1, 4, 6, 8}}));
  EXPECT_EQ(products_in(inputs, "aten.addmm.default(bias, a, b) : f32[4, 8]"), (Products{{1, 4, 6, 8}}));
  EXPECT_EQ(products_in(inputs, "aten.mul.Tensor(a, 2) : f32[4, 6]"), Products());
}

TEST(Products, BatchedProductsCountTheirBatches) {
  const std::string inputs = "a = placeholder : f32[3, 4, 6]\nb = placeholder : f32[3, 6, 8]\n";
  EXPECT_EQ(products_in(inputs, "aten.bmm.default(a, b) : f32[3, 4, 8]"), (Products{{3, 4, 6, 8}}));
}

const std::string kImages = "x = placeholder : f32[2, 3, 10, 10]\nw = placeholder : f32[5, 3, 3, 3]\n"
                            "gradient = placeholder : f32[2, 5, 8, 8]\n";

TEST(Products, ConvolutionsMultiplyTheirWindows) {
  const std::string plain = "aten.convolution.default(x, w, None, [1, 1], [0, 0], [1, 1], False, [0, 0], ";
  EXPECT_EQ(products_in(kImages, plain + "1) : f32[2, 5, 8, 8]"), (Products{{1, 2 * 64, 27, 5}}));
  EXPECT_EQ(products_in(kImages, plain + "3) : f32[2, 5, 8, 8]"), Products()) << "of groups nothing is known";
}

TEST(Products, ConvolutionBackwardHasAProductPerRequestedGradient) {
  const std::string call = "aten.convolution_backward.default(gradient, x, w, [0], [1, 1], [0, 0], [1, 1], False, [0, 0], 1, ";
  const Product of_input = {1, 200, 45, 3}, of_weight = {1, 5, 128, 27};
  const std::string results = ") : tuple(f32[2, 3, 10, 10], f32[5, 3, 3, 3], none)";
  EXPECT_EQ(products_in(kImages, call + "[True, True, False]" + results), (Products{of_input, of_weight}));
  EXPECT_EQ(products_in(kImages, call + "[False, True, False]" + results), Products{of_weight});
}

}  // namespace
}  // namespace fxcut
