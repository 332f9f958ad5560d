// The cost of saving a value.
#include "cost/saving.h"

#include <gtest/gtest.h>

#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

SavingCost saving(const std::string& text, std::string_view name, const Settings& settings = {}) {
  const AnalysedGraph graph(text, settings);
  return saving_costs(graph.analysis)[graph.index(name)];
}

std::int64_t cost(const std::string& text, std::string_view name, const Settings& settings = {}) {
  const SavingCost found = saving(text, name, settings);
  EXPECT_EQ(found.unsavable, Unsavable::No);
  return static_cast<std::int64_t>(found.cost);
}

// primals_1, then `calls` that end in `y`, which the backward takes in a product: 64 bytes a value.
std::string step_with(const std::string& calls, const std::string& primal_words = "") {
  return "primals_1 = placeholder : f32[4, 4]" + primal_words + "\ntangents_1 = placeholder : f32[4, 4]\n" + calls +
         "\nloss = aten.mm.default(y, y) : f32[4, 4]\ngrad = aten.mm.default(tangents_1, y) : f32[4, 4]\nreturn loss | "
         "grad";
}

TEST(Saving, WeighsBytesByTheDistanceFromTheBackward) {
  const std::string text = step_with(R"(
    a = aten.mm.default(primals_1, primals_1) : f32[4, 4]
    b = aten.mm.default(a, a) : f32[4, 4]
    y = aten.mm.default(b, b) : f32[4, 4])");
  EXPECT_EQ(cost(text, "y"), 70) << "64 * 1.1 = 70.4, rounded down";
  EXPECT_EQ(cost(text, "b"), 77) << "64 * 1.21 = 77.44";
  EXPECT_EQ(cost(text, "a"), 85) << "64 * 1.331 = 85.184";
  EXPECT_EQ(cost(text, "primals_1"), 93) << "64 * 1.4641 = 93.7024";
  EXPECT_EQ(cost(text, "loss"), 881959) << "64 * 1.1**100: no more than 100 nodes count";
}

TEST(Saving, CostsTwiceWhatFusionWouldKeepOutOfMemory) {
  const std::string text = R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    y = aten.sin.default(primals_1) : f32[4, 4]
    loss = aten.cos.default(y) : f32[4, 4]
    grad = aten.mul.Tensor(tangents_1, y) : f32[4, 4]
    return loss | grad)";
  EXPECT_EQ(cost(text, "y"), 140) << "rounded down before it is doubled";
  EXPECT_FALSE(saving(text, "y").materialized);
  EXPECT_EQ(cost(text, "primals_1"), 77) << "an input is in memory anyway";
  EXPECT_TRUE(saving(text, "loss").materialized) << "it is returned";
}

TEST(Saving, ParametersAreFree) {
  const std::string text = step_with("y = aten.mm.default(primals_1, primals_1) : f32[4, 4]", " static");
  EXPECT_EQ(cost(text, "primals_1"), 0);
  EXPECT_EQ(saving(text, "primals_1").size_bytes, 64);
  Settings settings;
  settings.treat_parameters_as_free_to_save = false;
  EXPECT_EQ(cost(text, "primals_1", settings), 77);
}

TEST(Saving, ViewsCannotBeSavedUnderRecomputeViews) {
  const std::string text = step_with("y = aten.view.default(primals_1, [4, 4]) : f32[4, 4]");
  EXPECT_EQ(cost(text, "y"), 70);
  Settings settings;
  settings.recompute_views = true;
  EXPECT_EQ(saving(text, "y", settings).unsavable, Unsavable::View);
}

TEST(Saving, SymbolicNumbersCostNextToNothing) {
  const std::string text = step_with(R"(
    length = aten.sym_size.int(primals_1, 0) : symint(s0=4)
    scale = torch.sym_float(length) : symfloat(zf0)
    check = operator.gt(length, 3) : symbool(s0 > 3)
    y = my.own.default(primals_1, length, scale, check) : f32[4, 4])");
  EXPECT_EQ(cost(text, "length"), 1);
  EXPECT_EQ(cost(text, "scale"), 4);
  EXPECT_EQ(cost(text, "check"), 1);
}

TEST(Saving, NonTensorsCannotBeSaved) {
  const std::string text = step_with(R"(
    pair = aten.topk.default(primals_1, 2) : tuple(f32[4, 4], i64[4, 4])
    unknown = my.own.default(primals_1)
    nothing = my.own.default(primals_1) : none
    y = my.own.default(primals_1, pair, unknown, nothing) : f32[4, 4])");
  EXPECT_EQ(saving(text, "pair").unsavable, Unsavable::NonTensor);
  EXPECT_EQ(saving(text, "unknown").unsavable, Unsavable::NonTensor);
  EXPECT_EQ(saving(text, "nothing").unsavable, Unsavable::NonTensor);
}

TEST(Saving, OpaqueObjectsAndTheBackwardStateTravelFree) {
  const std::string text = step_with(R"(
    state = placeholder : backward_state
    object = my.make.default(primals_1) : opaque
    group = my.make.default(primals_1) : other(ProcessGroup)
    list = my.make.default(primals_1) : other(list)
    y = my.own.default(state, object, group, list) : f32[4, 4])");
  EXPECT_EQ(cost(text, "state"), 0);
  EXPECT_EQ(cost(text, "object"), 0);
  EXPECT_EQ(cost(text, "group"), 0);
  EXPECT_EQ(saving(text, "list").unsavable, Unsavable::NonTensor);
}

TEST(Saving, ValuesWrittenToAfterTheForwardCannotBeSavedSince2_15) {
  const std::string text = step_with("y = aten.mm.default(primals_1, primals_1) : f32[4, 4]",
                                " static aot_runtime_epilogue_input_mutation=true");
  EXPECT_EQ(cost(made_by(Release{13}) + text, "primals_1"), 0) << "free, as a parameter is";
  EXPECT_EQ(saving(made_by(Release{15}) + text, "primals_1").unsavable, Unsavable::Replayed);
}

TEST(Saving, ASymbolIsSavedThoughItsMutationIsReplayed) {
  const std::string text = step_with(R"(
    primals_2 = placeholder : symint(s0=4) aot_runtime_epilogue_input_mutation=true
    y = my.own.default(primals_1, primals_2) : f32[4, 4])");
  EXPECT_EQ(cost(text, "primals_2"), 1);
}

TEST(Saving, LargeValuesFarAwayCostMoreThan64BitsCount) {
  std::string calls = "y0 = aten.mm.default(primals_1, primals_1) : i64[100000000, 1000000000]\n";
  for (int i = 1; i <= 120; ++i)
    calls += "y" + std::to_string(i) + " = aten.mm.default(y" + std::to_string(i - 1) + ", primals_1) : f32[1]\n";
  const SavingCost found = saving(step_with(calls + "y = aten.mm.default(y120, y120) : f32[4, 4]"), "y0");
  EXPECT_EQ(found.size_bytes, 800'000'000'000'000'000);
  EXPECT_TRUE(found.cost > Int128{1} << 70);
}

}  // namespace
}  // namespace fxcut
