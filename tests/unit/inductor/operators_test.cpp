// How many operators an expression counts as, by which inductor decides whether it is stored (OpCounterCSE).
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "inductor/lower.h"
#include "programs.h"

namespace fxcut {
namespace {

// How many operators `x`, the last value of the text, counts as: the limit less the longest unstored chain after it.
std::size_t operators_of_x(std::string_view lines, const InductorRules& rules = rules_for_gpu()) {
  std::string text =
      "primals_1 = placeholder : f32[64, 64]\n"
      "primals_2 = placeholder : f32[64, 64]\n"
      "primals_3 = placeholder : i64[64, 64]\n" +
      std::string(lines);
  std::string last = "x";
  for (std::size_t more = 1; more <= rules.max_operators; ++more) {
    const std::string next = "sin_" + std::to_string(more);
    text += next + " = aten.sin.default(" + last + ") : f32[64, 64]\n";
    last = next;
    const std::string kernels = fused_kernels(text + "cos = aten.cos.default(" + last + ") : f32[64, 64]\nreturn cos |", rules);
    if (kernels.find("(" + last + ")") != std::string::npos) return rules.max_operators + 1 - more;
  }
  return 0;
}

TEST(Operators, LoadsAndOperatorsCount) {
  EXPECT_EQ(operators_of_x("x = aten.mul.Tensor(primals_1, primals_2) : f32[64, 64]\n"), 3U);
}

TEST(Operators, ACopyIsNone) {
  EXPECT_EQ(operators_of_x("clone = aten.clone.default(primals_1) : f32[64, 64]\n"
                           "x = aten.mul.Tensor(clone, primals_2) : f32[64, 64]\n"),
            3U);
}

TEST(Operators, ALoadAtAnotherPlaceIsAnother) {
  EXPECT_EQ(operators_of_x("primals_4 = placeholder : f32[2, 64, 64]\n"
                           "select = aten.select.int(primals_4, 0, 0) : f32[64, 64]\n"
                           "select_1 = aten.select.int(primals_4, 0, 1) : f32[64, 64]\n"
                           "x = aten.mul.Tensor(select, select_1) : f32[64, 64]\n"),
            3U);
  EXPECT_EQ(operators_of_x("add = aten.add.Tensor(primals_1, primals_1) : f32[64, 64]\n"
                           "x = aten.mul.Tensor(add, primals_2) : f32[64, 64]\n"),
            4U);
}

TEST(Operators, APartOfAValueIsComputedForItself) {
  constexpr std::string_view kText =
      "primals_4 = placeholder : f32[2, 64, 64]\n"
      "exp = aten.exp.default(primals_4) : f32[2, 64, 64]\n"
      "select = aten.select.int(exp, 0, 0) : f32[64, 64]\n"
      "select_1 = aten.select.int(exp, 0, 1) : f32[64, 64]\n"
      "x = aten.mul.Tensor(select, {}) : f32[64, 64]\n";
  EXPECT_EQ(operators_of_x(filled(kText, "select_1")), 5U);
  EXPECT_EQ(operators_of_x(filled(kText, "primals_1")), 4U);
}

TEST(Operators, ANumberCountsOncePerDtypeAndForm) {
  EXPECT_EQ(operators_of_x("add = aten.add.Tensor(primals_1, 2.0) : f32[64, 64]\n"
                           "mul = aten.mul.Tensor(add, 2.0) : f32[64, 64]\n"
                           "x = aten.mul.Tensor(mul, primals_2) : f32[64, 64]\n"),
            6U);
  EXPECT_EQ(operators_of_x("add = aten.add.Tensor(primals_1, 2.0) : f32[64, 64]\n"
                           "mul = aten.mul.Tensor(add, 2) : f32[64, 64]\n"
                           "x = aten.mul.Tensor(mul, primals_2) : f32[64, 64]\n"),
            7U);
}

TEST(Operators, AVarianceDividesByNumbersAsOthersAre) {
  constexpr std::string_view kText =
      "primals_4 = placeholder : f32[64, 64, 2048]\n"
      "var_mean = aten.var_mean.correction(primals_4, [2], correction=0) : tuple(f32[64, 64], f32[64, 64])\n"
      "getitem = operator.getitem(var_mean, 0) : f32[64, 64]\n"
      "mul = aten.mul.Tensor(primals_1, {}) : f32[64, 64]\n"
      "x = aten.mul.Tensor(getitem, mul) : f32[64, 64]\n";
  EXPECT_EQ(operators_of_x(filled(kText, "2048")), 9U) << "two loads, 0, 2048, their difference, the larger one, and three more";
  EXPECT_EQ(operators_of_x(filled(kText, "2049")), 10U);
}

TEST(Operators, OnAGpuADivisionByANumberIsAProduct) {
  constexpr std::string_view kText =
      "div = aten.div.Tensor(primals_1, 4) : f32[64, 64]\n"
      "mul = aten.mul.Tensor(div, 0.25) : f32[64, 64]\n"
      "x = aten.mul.Tensor(mul, primals_2) : f32[64, 64]\n";
  EXPECT_EQ(operators_of_x(kText), 6U);
  EXPECT_EQ(operators_of_x(kText, rules_for_cpu()), 7U);
}

TEST(Operators, ConversionsToACommonDtypeCount) {
  EXPECT_EQ(operators_of_x("gt = aten.gt.Scalar(primals_1, 0.1) : bool[64, 64]\n"
                           "x = aten.mul.Tensor(gt, primals_2) : f32[64, 64]\n"),
            6U);
}

TEST(Operators, ReadingAtComputedPlacesIsNone) {
  EXPECT_EQ(operators_of_x("gather = aten.gather.default(primals_1, 1, primals_3) : f32[64, 64]\n"
                           "x = aten.mul.Tensor(gather, primals_2) : f32[64, 64]\n"),
            4U);
}

TEST(Operators, ElementsOfASmallReductionAreAddedOneByOne) {
  EXPECT_EQ(operators_of_x("primals_4 = placeholder : f32[64, 64, 4]\n"
                           "sum = aten.sum.dim_IntList(primals_4, [2]) : f32[64, 64]\n"
                           "x = aten.mul.Tensor(sum, primals_2) : f32[64, 64]\n"),
            9U);
  EXPECT_EQ(operators_of_x("primals_4 = placeholder : f32[64, 64, 4]\n"
                           "exp = aten.exp.default(primals_4) : f32[64, 64, 4]\n"
                           "sum = aten.sum.dim_IntList(exp, [2]) : f32[64, 64]\n"
                           "x = aten.mul.Tensor(sum, primals_2) : f32[64, 64]\n"),
            13U);
}

TEST(Operators, BoundsOfWhatIsScatteredOrPaddedCount) {
  EXPECT_EQ(operators_of_x("primals_4 = placeholder : f32[64, 32]\n"
                           "slice_scatter = aten.slice_scatter.default(primals_1, primals_4, 1, 32, 64) : f32[64, 64]\n"
                           "x = aten.mul.Tensor(slice_scatter, primals_2) : f32[64, 64]\n"),
            9U)
      << "a place, a bound, a comparison, what is masked, and the choice";
  EXPECT_EQ(operators_of_x("primals_4 = placeholder : f32[64, 62]\n"
                           "pad = aten.constant_pad_nd.default(primals_4, [1, 1], 0.0) : f32[64, 64]\n"
                           "x = aten.mul.Tensor(pad, primals_2) : f32[64, 64]\n"),
            10U)
      << "a place, two bounds and comparisons, which are joined, and what is masked";
}

TEST(Operators, APaddingAtAnEndCountsAsAConcatenationInNewerReleases) {
  constexpr std::string_view kText =
      "primals_4 = placeholder : f32[64, 62]\n"
      "pad = aten.constant_pad_nd.default(primals_4, [0, 2], {}) : f32[64, 64]\n"
      "x = aten.mul.Tensor(pad, primals_2) : f32[64, 64]\n";
  EXPECT_EQ(operators_of_x(filled(kText, "0.0")), 15U) << "eleven, the filling, two loads and the product";
  EXPECT_EQ(operators_of_x(filled(kText, "0.0"), rules_for_gpu(Release{11})), 7U);
  EXPECT_EQ(operators_of_x("primals_4 = placeholder : i64[64, 62]\n"
                           "pad = aten.constant_pad_nd.default(primals_4, [0, 2], 0.0) : i64[64, 64]\n"
                           "gather = aten.gather.default(primals_1, 1, pad) : f32[64, 64]\n"
                           "x = aten.mul.Tensor(gather, primals_2) : f32[64, 64]\n"),
            15U)
      << "the filling is the number at which the first term begins";
}

}  // namespace
}  // namespace fxcut
