// Facts about operators, from the table and from the graph.
#include "classify/operator_table.h"

#include <gtest/gtest.h>

#include "graph_text.h"

namespace fxcut {
namespace {

TEST(OperatorTable, NamesAreTakenApart) {
  const Operator overload = make_operator("aten.add.Tensor");
  EXPECT_EQ(overload.kind, Operator::Kind::Overload);
  EXPECT_EQ(overload.space, "aten");
  EXPECT_EQ(overload.packet, "aten.add");
  EXPECT_EQ(overload.base_name, "Tensor");
  const Operator function = make_operator("operator.getitem");
  EXPECT_EQ(function.kind, Operator::Kind::PythonFunction);
  EXPECT_EQ(function.packet, "operator.getitem");
  EXPECT_EQ(function.base_name, "getitem");
  EXPECT_EQ(make_operator("higher_order.invoke_subgraph").kind, Operator::Kind::HigherOrder);
  EXPECT_EQ(make_operator("torch._C._set_grad_enabled").kind, Operator::Kind::PythonFunction);
  EXPECT_EQ(make_operator("torch.sym_max").kind, Operator::Kind::PythonFunction);
}

TEST(OperatorTable, ClassesFollowFromTheOperatorsName) {
  EXPECT_TRUE(make_operator("aten.sin.default").is(Operator::Fusible));
  EXPECT_TRUE(make_operator("aten.sin.default").is(Operator::Recomputable));
  EXPECT_FALSE(make_operator("aten.sin.default").is(Operator::ComputeIntensive));
  EXPECT_TRUE(make_operator("aten.mm.default").is(Operator::ComputeIntensive));
  EXPECT_FALSE(make_operator("aten.mm.default").is(Operator::Fusible));
  EXPECT_TRUE(make_operator("aten.view.default").is(Operator::View));
  EXPECT_TRUE(make_operator("aten.native_dropout.default").is(Operator::Random));
  EXPECT_TRUE(make_operator("aten.bernoulli.default").is(Operator::NeverDeduplicated));
  EXPECT_TRUE(make_operator("operator.getitem").is(Operator::Fusible));
}

TEST(OperatorTable, FactsOfSchemas) {
  EXPECT_FALSE(make_operator("aten.add.Tensor").mutates);
  EXPECT_TRUE(make_operator("aten.add_.Tensor").mutates);
  EXPECT_EQ(make_operator("aten.add_.Tensor").mutable_arguments, std::vector<std::string>({"self"}));
  EXPECT_EQ(make_operator("aten.add.out").mutable_arguments, std::vector<std::string>({"out"}));
  EXPECT_EQ(make_operator("aten._foreach_add_.Scalar").returns, 0);
  EXPECT_EQ(make_operator("aten.native_layer_norm.default").returns, 3);
  EXPECT_TRUE(make_operator("aten.bernoulli.default").seeded_random);
  EXPECT_TRUE(make_operator("aten._assert_scalar.default").has_side_effect);
  EXPECT_TRUE(make_operator("operator.setitem").has_side_effect);
  EXPECT_FALSE(make_operator("operator.getitem").has_side_effect);
}

TEST(OperatorTable, CollectivesAreOverloadsOfTheirNamespace) {
  EXPECT_TRUE(make_operator("_c10d_functional.all_reduce.default").is_collective());
  EXPECT_FALSE(make_operator("aten.add.Tensor").is_collective());
}

TEST(OperatorTable, AnUnknownOperatorIsHarmless) {
  const Operator op = make_operator("my.own.default");
  EXPECT_FALSE(op.known);
  EXPECT_EQ(op.kind, Operator::Kind::Overload);
  EXPECT_FALSE(op.mutates);
  EXPECT_FALSE(op.seeded_random);
  EXPECT_FALSE(op.builtin);
  EXPECT_EQ(op.returns, 1);
  EXPECT_EQ(op.classes, 0);
}

TEST(OperatorTable, AGraphDescribesItsOwnOperators) {
  OperatorTable table;
  table.describe("my.own.default",
                 {.tags = std::vector<std::string>{"nondeterministic_seeded", "pointwise"},
                  .mutates = std::nullopt,
                  .returns = 2,
                  .builtin = false,
                  .schema = "my::own(Tensor x, Tensor(a!) state, *, Tensor(b!)[] out) -> (Tensor, Tensor)"});
  const Operator& op = table.find("my.own.default");
  EXPECT_TRUE(op.known);
  EXPECT_TRUE(op.mutates) << "its schema says so";
  EXPECT_TRUE(op.seeded_random);
  EXPECT_EQ(op.returns, 2);
  EXPECT_EQ(op.mutable_arguments, std::vector<std::string>({"state", "out"}));
  EXPECT_EQ(op.classes, 0) << "tags do not make it fusible";
  EXPECT_EQ(&table.find("my.own.default"), &op);
}

TEST(OperatorTable, AGraphOverridesFactsButNotClasses) {
  OperatorTable table;
  table.describe("aten.sin.default",
                 {.tags = std::vector<std::string>{}, .mutates = true, .returns = 0, .builtin = false, .schema = {}});
  table.describe("aten.bernoulli.default",
                 {.tags = std::vector<std::string>{}, .mutates = {}, .returns = {}, .builtin = {}, .schema = {}});
  const Operator& sin = table.find("aten.sin.default");
  EXPECT_TRUE(sin.mutates);
  EXPECT_EQ(sin.returns, 0);
  EXPECT_FALSE(sin.builtin);
  EXPECT_TRUE(sin.is(Operator::Fusible));
  EXPECT_FALSE(table.find("aten.bernoulli.default").seeded_random);
}

TEST(OperatorTable, KeepsTheTablesFactsWhereAGraphSaysNothing) {
  OperatorTable table;
  table.describe("aten.bernoulli.default", {.tags = {}, .mutates = {}, .returns = 3, .builtin = {}, .schema = {}});
  const Operator& op = table.find("aten.bernoulli.default");
  EXPECT_TRUE(op.seeded_random);
  EXPECT_TRUE(op.builtin);
  EXPECT_EQ(op.returns, 3);
}

TEST(OperatorTable, AReleaseHasItsOwnOperators) {
  EXPECT_FALSE(make_operator("aten.shallow_copy_data_.default", Release{13}).known);
  EXPECT_TRUE(make_operator("aten.shallow_copy_data_.default", Release{15}).mutates);
  EXPECT_FALSE(make_operator("_c10d_functional.wait_tensors.default", Release{13}).has_side_effect);
  EXPECT_TRUE(make_operator("_c10d_functional.wait_tensors.default", Release{15}).has_side_effect);
}

TEST(OperatorTable, DropoutIsLookedForSince2_15) {
  constexpr std::string_view attention = "aten._scaled_dot_product_efficient_attention.default";
  EXPECT_FALSE(make_operator(attention, Release{13}).dropout);
  ASSERT_TRUE(make_operator(attention, Release{15}).dropout);
  EXPECT_EQ(make_operator(attention, Release{15}).dropout->position, 5u);
  EXPECT_EQ(make_operator(attention, Release{15}).dropout->by_default, 0.0);
  EXPECT_EQ(make_operator("aten._efficient_attention_forward.default").dropout->by_default, std::nullopt);
  EXPECT_FALSE(make_operator("aten.native_dropout.default").dropout) << "its argument is named p";
}

TEST(UnknownOperators, AreOverloadsThatNobodyDescribes) {
  const JointGraph joint = joint_graph(R"(
    "ops": {"my.known.default": {"tags": []}}
    x = placeholder
    a = my.known.default(x)
    b = my.unknown.default(a)
    c = my.unknown.default(b)
    d = somewhere.function(c)
    e = aten.sin.default(d)
    f = my.another.default(e)
    return f)");
  EXPECT_EQ(unknown_operators(joint), std::vector<std::string>({"my.unknown.default", "my.another.default"}));
}

TEST(OperatorTable, AnOperatorMayChangeFromReleaseToRelease) {
  EXPECT_FALSE(make_operator("aten.select.int", kTorch2_5).is(Operator::View));
  EXPECT_TRUE(make_operator("aten.select.int", kTorch2_5).is(Operator::Recomputable));
  EXPECT_TRUE(make_operator("aten.select.int", kTorch2_6).is(Operator::View));
  EXPECT_FALSE(make_operator("aten._fused_rms_norm.default", kTorch2_7).known);
  EXPECT_EQ(make_operator("aten._fused_rms_norm.default", kTorch2_8).returns, 1);
  EXPECT_EQ(make_operator("aten._fused_rms_norm.default", kTorch2_15).returns, 2);
  EXPECT_TRUE(make_operator("aten.qr.default", kTorch2_13).known);
  EXPECT_FALSE(make_operator("aten.qr.default", kTorch2_14).known);
}

}  // namespace
}  // namespace fxcut
