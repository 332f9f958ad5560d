// Calls that become one node. Each test lists the names that are left.
#include "normalise/common_subexpressions.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

// The remaining calls, which all take `x`.
std::string left_of(std::string_view calls, Release release = kNewestRelease) {
  JointGraph joint = joint_graph("x = placeholder\n" + std::string(calls) + "\nreturn x");
  joint.torch.release = release;
  return names_of(merge_common_subexpressions(joint).graph);
}

TEST(CommonSubexpressions, EqualCallsBecomeTheFirst) {
  const JointGraph joint = joint_graph(R"(
    x = placeholder
    a = aten.sin.default(x)
    b = aten.sin.default(x)
    c = aten.mul.Tensor(b, b)
    d = aten.mul.Tensor(a, b)
    return d)");
  EXPECT_EQ(text_of(merge_common_subexpressions(joint).graph),
            "x = placeholder\n"
            "a = aten.sin.default(x)\n"
            "c = aten.mul.Tensor(a, a)\n"
            "return c\n");
}

TEST(CommonSubexpressions, OperatorsAreDistinguished) {
  EXPECT_EQ(left_of("a = aten.sin.default(x)\nb = aten.cos.default(x)"), "x a b output");
  EXPECT_EQ(left_of("a = aten.sum.default(x)\nb = aten.sum.dim_IntList(x)"), "x a b output");
}

TEST(CommonSubexpressions, OnlyTheFirstOfABucketIsMatched) {
  EXPECT_EQ(left_of("a = aten.sum.dim_IntList(x, [-1])\n"
                    "b = aten.sum.dim_IntList(x, [-2])\n"
                    "c = aten.sum.dim_IntList(x, [-2])\n"
                    "d = aten.sum.dim_IntList(x, [-1])"),
            "x a b c output");
}

TEST(CommonSubexpressions, IntegersCollideModulo2To61Minus1) {
  EXPECT_EQ(left_of("a = aten.add.Tensor(x, 0)\n"
                    "b = aten.add.Tensor(x, 2305843009213693951)\n"
                    "c = aten.add.Tensor(x, 2305843009213693951)"),
            "x a b c output");
}

TEST(CommonSubexpressions, IntegersBeyond64BitsAreIntegers) {
  EXPECT_EQ(left_of("a = aten.add.Tensor(x, 8)\n"
                    "b = aten.add.Tensor(x, 18446744073709551616)\n"  // 2**64, whose hash is 8
                    "c = aten.add.Tensor(x, 18446744073709551616)"),
            "x a b c output");
  EXPECT_EQ(left_of("a = aten.add.Tensor(x, 18446744073709551616)\n"
                    "b = aten.add.Tensor(x, 18446744073709551616)"),
            "x a output");
}

TEST(CommonSubexpressions, ListsAndTuplesShareABucketButDiffer) {
  EXPECT_EQ(left_of("a = aten.view.default(x, [4, 4])\n"
                    "b = aten.view.default(x, (4, 4))\n"
                    "c = aten.view.default(x, (4, 4))\n"
                    "d = aten.view.default(x, [4, 4])"),
            "x a b c output");
  EXPECT_EQ(left_of("a = aten.view.default(x, [4, [4]])\nb = aten.view.default(x, [[4], 4])"), "x a b output");
}

TEST(CommonSubexpressions, TypesOfNumbersAreDistinguished) {
  EXPECT_EQ(left_of("a = aten.add.Tensor(x, 1)\n"
                    "b = aten.add.Tensor(x, 1.0)\n"
                    "c = aten.add.Tensor(x, True)\n"
                    "d = aten.add.Tensor(x, complex(1.0, 0.0))\n"
                    "e = aten.add.Tensor(x, 1.0)\n"
                    "f = aten.add.Tensor(x, complex(1.0, 0.0))"),
            "x a b c d output");
}

TEST(CommonSubexpressions, ZerosOfBothSignsAreEqualUntil2_15) {
  const std::string calls = "a = aten.add.Tensor(x, 0.0)\nb = aten.add.Tensor(x, -0.0)";
  EXPECT_EQ(left_of(calls, Release{13}), "x a output");
  EXPECT_EQ(left_of(calls, Release{15}), "x a b output");
}

TEST(CommonSubexpressions, NanEqualsItselfSince2_15) {
  const std::string calls = "a = my.op.default(x, [nan])\nb = my.op.default(x, [nan])";
  EXPECT_EQ(left_of(calls, Release{13}), "x a b output");
  EXPECT_EQ(left_of(calls, Release{15}), "x a output");
}

TEST(CommonSubexpressions, BackwardsInputsStayApartSince2_15) {
  JointGraph joint = joint_graph(R"(
    x = placeholder
    a = aten.sin.default(x)
    b = aten.sin.default(x)
    c = aten.sin.default(x)
    return a | b, c)");
  EXPECT_EQ(text_of(merge_common_subexpressions(joint).graph),
            "x = placeholder\na = aten.sin.default(x)\nb = aten.sin.default(x)\nreturn a, b, b\n");
  joint.torch.release = Release{13};
  EXPECT_EQ(names_of(merge_common_subexpressions(joint).graph), "x a output");
}

TEST(CommonSubexpressions, StreamsAndPoolsAreDistinguishedSince2_15) {
  const std::string calls = "a = aten.sin.default(x) custom={\"stream\":1}\n"
                            "b = aten.sin.default(x) custom={\"stream\":2}\n"
                            "c = aten.sin.default(x) custom={\"stream\":2}\n"
                            "d = aten.sin.default(x) custom={\"stream\":1}";
  EXPECT_EQ(left_of(calls, Release{15}), "x a b c output") << "a bucket is compared with its first only";
  EXPECT_EQ(left_of(calls, Release{13}), "x a output");
}

TEST(CommonSubexpressions, BasesOfMutationsStayApartSince2_15) {
  const std::string calls = "a = aten.full.default([4], 1)\n"
                            "b = aten.full.default([4], 1)\n"
                            "m = higher_order.auto_functionalized_v2(op(my.add_.default), _all_bases=[b])";
  EXPECT_EQ(left_of(calls, Release{15}), "x a b m output");
  EXPECT_EQ(left_of(calls, Release{13}), "x a m output");
}

TEST(CommonSubexpressions, SideEffectsHappenAsOftenAsTheyAreCalledSince2_15) {
  const std::string calls = "a = _c10d_functional.wait_tensor.default(x)\nb = _c10d_functional.wait_tensor.default(x)";
  EXPECT_EQ(left_of(calls, Release{15}), "x a b output");
  EXPECT_EQ(left_of(calls, Release{13}), "x a output");
  EXPECT_EQ(left_of("a = prims.inductor_seed.default()\nb = prims.inductor_seed.default()", Release{15}), "x a output")
      << "tagged as random after PyTorch has looked";
}

TEST(CommonSubexpressions, InfinitiesAreDistinguished) {
  EXPECT_EQ(left_of("a = aten.add.Tensor(x, inf)\nb = aten.add.Tensor(x, -inf)\nc = aten.add.Tensor(x, inf)"),
            "x a b output");
}

TEST(CommonSubexpressions, NamesOfDifferentKindsAreDistinguished) {
  EXPECT_EQ(left_of("a = aten.clone.default(x, \"strided\")\n"
                    "b = aten.clone.default(x, layout(strided))\n"
                    "c = aten.clone.default(x, layout(strided))"),
            "x a b output");
}

TEST(CommonSubexpressions, KeywordsCountInTheirOrder) {
  EXPECT_EQ(left_of("a = aten.add.Tensor(x, alpha=1, beta=1)\n"
                    "b = aten.add.Tensor(x, beta=1, alpha=1)\n"
                    "c = aten.add.Tensor(x, alpha=1, beta=1)"),
            "x a b output");
  EXPECT_EQ(left_of("a = aten.add.Tensor(x, alpha=1)\nb = aten.add.Tensor(x, 1)"), "x a b output");
}

TEST(CommonSubexpressions, SlicesAreEqualByValue) {
  EXPECT_EQ(left_of("a = operator.getitem(x, slice(0, 4, None))\n"
                    "b = operator.getitem(x, slice(0, 4, None))\n"
                    "c = operator.getitem(x, slice(0, 5, None))"),
            "x a c output");
}

TEST(CommonSubexpressions, DictionariesAreEqualByKeysAndValues) {
  EXPECT_EQ(left_of(R"(a = my.op.default(x, {"k": 1})
                       b = my.op.default(x, {"k": 1})
                       c = my.op.default(x, {"l": 1}))"),
            "x a c output");
}

TEST(CommonSubexpressions, IncomparableArgumentsAreNeverMerged) {
  for (const std::string argument : {"sym(s0=4)", "opaque(Foo)", "slice(sym(s0=4), None, None)"}) {
    EXPECT_EQ(left_of("a = my.op.default(x, " + argument + ")\nb = my.op.default(x, " + argument + ")"), "x a b output")
        << argument;
  }
}

TEST(CommonSubexpressions, RandomOperatorsAndEmptyAreNeverMerged) {
  for (const std::string target : {"aten.bernoulli.default", "aten.rand_like.default", "aten.native_dropout.default",
                                   "aten.empty.memory_format"}) {
    EXPECT_EQ(left_of("a = " + target + "(x)\nb = " + target + "(x)"), "x a b output") << target;
  }
}

TEST(CommonSubexpressions, GetAttrIsNeverMerged) {
  EXPECT_EQ(left_of("a = get_attr w\nb = get_attr w"), "x a b output");
}

TEST(CommonSubexpressions, AliasesOfAnOutputAreNeverMerged) {
  const std::string_view calls = R"(
    x = placeholder : f32[4]@1
    a = aten.sin.default(x) : f32[4]@2
    b = aten.sin.default(x) : f32[4]@2
    c = aten.cos.default(x) : f32[4]@3
    d = aten.cos.default(x) : f32[4]@4
    e = aten.view.default(a, [4]) : f32[4]@2
    )";
  EXPECT_EQ(names_of(merge_common_subexpressions(joint_graph(std::string(calls) + "return e")).graph),
            "x a b c e output");
  EXPECT_EQ(names_of(merge_common_subexpressions(joint_graph(std::string(calls) + "return d")).graph),
            "x a c d e output");
}

TEST(CommonSubexpressions, CallsOnEitherSideOfAMutationStayApart) {
  EXPECT_EQ(left_of("a = aten.sin.default(x)\n"
                    "m = aten.copy_.default(x, x)\n"
                    "b = aten.sin.default(x)"),
            "x a m b output");
}

TEST(CommonSubexpressions, AMutationReplacesTheBucketsFirst) {
  const JointGraph joint = joint_graph(R"(
    x = placeholder
    a = aten.sin.default(x)
    m = aten.copy_.default(x, x)
    b = aten.sin.default(x)
    c = aten.sin.default(x)
    return a, b, c)");
  EXPECT_EQ(text_of(merge_common_subexpressions(joint).graph),
            "x = placeholder\n"
            "a = aten.sin.default(x)\n"
            "m = aten.copy_.default(x, x)\n"
            "b = aten.sin.default(x)\n"
            "return a, b, b\n");
}

TEST(CommonSubexpressions, AMutationReplacesNothingThatDiffers) {
  // The bucket's first is the sum over -1; after the mutation a sum over -2 does not take its place.
  EXPECT_EQ(left_of("a = aten.sum.dim_IntList(x, [-1])\n"
                    "m = aten.copy_.default(x, x)\n"
                    "b = aten.sum.dim_IntList(x, [-2])\n"
                    "c = aten.sum.dim_IntList(x, [-2])"),
            "x a m b c output");
}

}  // namespace
}  // namespace fxcut
