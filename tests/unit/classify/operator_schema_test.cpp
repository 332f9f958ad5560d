// Facts from schemas.
#include "classify/operator_table.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(OperatorSchema, ArgumentsThatAreWrittenTo) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(mutable_arguments("my::op(Tensor(a!) x, int n, Tensor(b!)[] outs) -> ()"), Names({"x", "outs"}));
  EXPECT_EQ(mutable_arguments("my::op(Tensor x, *, Tensor(a!) out) -> Tensor(a!)"), Names({"out"}));
  EXPECT_EQ(mutable_arguments("my::op(Tensor(a) x) -> Tensor(a)"), Names());
  EXPECT_EQ(mutable_arguments("my::op(Tensor(a) x) -> Tensor(a!)"), Names()) << "the result does not count";
  EXPECT_EQ(mutable_arguments("my::op(Tensor(a!)? x=None, Tensor(b|c!) y) -> ()"), Names({"x", "y"}));
  EXPECT_EQ(mutable_arguments("no schema at all"), Names());
  EXPECT_EQ(mutable_arguments(") -> ("), Names());
}

TEST(OperatorSchema, FindsTheDropoutProbability) {
  const auto position = [](std::string_view schema) {
    const auto dropout = dropout_argument(schema);
    return dropout ? static_cast<int>(dropout->position) : -1;
  };
  EXPECT_EQ(position("my::sdpa(Tensor q, float dropout_p=0.0) -> Tensor"), 1);
  EXPECT_EQ(position("my::sdpa(Tensor q, int[2] sizes=[0, 0], *, float dropout_p) -> Tensor"), 2);
  EXPECT_EQ(position("my::sdpa(Tensor q, float dropout) -> Tensor"), -1);
  EXPECT_EQ(position("dropout_p"), -1);
  EXPECT_EQ(dropout_argument("my::sdpa(Tensor q, float dropout_p=0.25) -> Tensor")->by_default, 0.25);
  EXPECT_EQ(dropout_argument("my::sdpa(Tensor q, float dropout_p) -> Tensor")->by_default, std::nullopt);
}

}  // namespace
}  // namespace fxcut
