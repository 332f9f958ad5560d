// The calls of each class of operators, before and after PyTorch decomposes them.
#include "policy/operator_classes.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

std::string of_class(OperatorClass operators, std::string_view text) {
  const Graph graph = joint_graph(text).graph;
  const std::vector<bool> are = calls_of(graph, operators);
  std::string names;
  for (std::size_t i = 0; i < are.size(); ++i) {
    if (are[i]) names += (names.empty() ? "" : " ") + graph.nodes[i].name;
  }
  return names;
}

TEST(OperatorClasses, AttentionIsThatOfAnyKernelWithItsItems) {
  EXPECT_EQ(of_class(OperatorClass::Attention, R"(
      q = placeholder : f32[1, 2, 8, 4]
      flash = aten._scaled_dot_product_flash_attention.default(q, q, q) : tuple(f32[1, 2, 8, 4], f32[1, 2, 8])
      out = operator.getitem(flash, 0) : f32[1, 2, 8, 4]
      own = mylib.flash_attn_forward.default(out, q, q) : f32[1, 2, 8, 4]
      sin = aten.sin.default(own) : f32[1, 2, 8, 4]
      return sin)"),
            "flash out own");
}

// Whoever takes an item computes its call.
TEST(OperatorClasses, ItemsAreCheapOnlyOfCheapCalls) {
  EXPECT_EQ(of_class(OperatorClass::Cheap, R"(
      q = placeholder : f32[1, 2, 8, 4]
      flash = aten._scaled_dot_product_flash_attention.default(q, q, q) : tuple(f32[1, 2, 8, 4], f32[1, 2, 8])
      out = operator.getitem(flash, 0) : f32[1, 2, 8, 4]
      var = aten.var_mean.correction(out, [3]) : tuple(f32[1, 2, 8], f32[1, 2, 8])
      mean = operator.getitem(var, 1) : f32[1, 2, 8]
      return mean)"),
            "var mean");
}

TEST(OperatorClasses, DecomposedAttentionIsTheProductOfTheSoftmaxAndTheValues) {
  EXPECT_EQ(of_class(OperatorClass::Attention, R"(
      q = placeholder : f32[2, 8, 4]
      k = placeholder : f32[2, 4, 8]
      keep = placeholder : bool[2, 8, 8]
      scores = aten.bmm.default(q, k) : f32[2, 8, 8]
      exp = aten.exp.default(scores) : f32[2, 8, 8]
      sum = aten.sum.dim_IntList(exp, [-1]) : f32[2, 8, 1]
      div = aten.div.Tensor(exp, sum) : f32[2, 8, 8]
      kept = aten.mul.Tensor(keep, div) : f32[2, 8, 8]
      zero = aten.full.default([2, 8, 8], 0) : f32[2, 8, 8]
      safe = aten.where.self(keep, zero, kept) : f32[2, 8, 8]
      view = aten.view.default(safe, [2, 8, 8]) : f32[2, 8, 8]
      out = aten.bmm.default(view, q) : f32[2, 8, 4]
      next = aten.bmm.default(out, k) : f32[2, 8, 8]
      return next)"),
            "out");
}

// Products of a gate's softmax with other values are not attention.
TEST(OperatorClasses, GatedProductsAreNotAttention) {
  EXPECT_EQ(of_class(OperatorClass::Attention, R"(
      x = placeholder : f32[2, 8, 8]
      gate = aten._softmax.default(x, -1) : f32[2, 8, 8]
      weighed = aten.mul.Tensor(gate, x) : f32[2, 8, 8]
      out = aten.bmm.default(weighed, x) : f32[2, 8, 8]
      return out)"),
            "");
}

TEST(OperatorClasses, NormalizationIsItsOperatorOrStatisticsAndWhatTheyScale) {
  EXPECT_EQ(of_class(OperatorClass::Normalization, R"(
      x = placeholder : f32[8, 4]
      w = placeholder : f32[4] static
      pow = aten.pow.Tensor_Scalar(x, 2) : f32[8, 4]
      mean = aten.mean.dim(pow, [-1]) : f32[8, 1]
      rsqrt = aten.rsqrt.default(mean) : f32[8, 1]
      scaled = aten.mul.Tensor(x, rsqrt) : f32[8, 4]
      cast = prims.convert_element_type.default(scaled) : bf16[8, 4]
      weighed = aten.mul.Tensor(w, cast) : bf16[8, 4]
      product = aten.mul.Tensor(weighed, x) : bf16[8, 4]
      whole = aten.native_layer_norm.default(product, [4], w, w, 1e-05) : tuple(f32[8, 4], f32[8, 1], f32[8, 1])
      item = operator.getitem(whole, 0) : f32[8, 4]
      length = aten.linalg_vector_norm.default(item) : f32[]
      return length)"),
            "rsqrt scaled cast weighed whole item");
}

TEST(OperatorClasses, ProductsConvolutionsCollectivesRandomAndCheapOnes) {
  constexpr std::string_view text = R"(
      x = placeholder : f32[8, 8]
      mm = aten.mm.default(x, x) : f32[8, 8]
      linear = aten.linear.default(mm, x) : f32[8, 8]
      conv = aten.convolution.default(x, x, None, [1], [0], [1]) : f32[8, 8]
      cast = prims.convert_element_type.default(conv) : bf16[8, 8]
      reduce = _c10d_functional.all_reduce.default(cast, "sum", "0") : bf16[8, 8]
      wait = _c10d_functional.wait_tensor.default(reduce) : bf16[8, 8]
      rand = aten.rand_like.default(wait) : bf16[8, 8]
      add = aten.add.Tensor(rand, linear) : f32[8, 8]
      view = aten.view.default(add, [64]) : f32[64]
      return view)";
  EXPECT_EQ(of_class(OperatorClass::Matmul, text), "mm linear");
  EXPECT_EQ(of_class(OperatorClass::Convolution, text), "conv");
  EXPECT_EQ(of_class(OperatorClass::Collective, text), "reduce wait");
  EXPECT_EQ(of_class(OperatorClass::Random, text), "rand");
  EXPECT_EQ(of_class(OperatorClass::Cheap, text), "cast add");
}

TEST(OperatorClasses, WhatInductorDrawsFromASeedIsRandom) {
  EXPECT_EQ(of_class(OperatorClass::Random, R"(
      seeds = prims.inductor_seeds.default(1, device(cpu)) : i64[1]
      seed = prims.inductor_lookup_seed.default(seeds, 0) : i64[]
      drawn = prims.inductor_random.default([8, 8], seed, "rand") : f32[8, 8]
      number = prims.inductor_randint.default(0, 9, [8, 8], seed) : i64[8, 8]
      add = aten.add.Tensor(drawn, number) : f32[8, 8]
      return add)"),
            "seeds drawn number");
}

}  // namespace
}  // namespace fxcut
