// The saved values, and the messages if these cannot be decided.
#include "solve/saved_values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "diagnostic/diagnostic.h"
#include "unit/analysed_graph.h"

namespace fxcut {
namespace {

std::string saved(const AnalysedGraph& graph, double budget = 1) {
  std::vector<std::string> names;
  for (const NodeId id : choose_saved_values(graph.analysis, budget).saved) names.push_back(graph.joint.graph[id].name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string failure_of(const AnalysedGraph& graph) {
  try {
    return "saved: " + saved(graph);
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    return failure.what();
  }
}

TEST(SavedValues, CheapValuesAreNotSaved) {
  const AnalysedGraph graph(R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    sin = aten.sin.default(primals_1) : f32[4, 4]
    cos = aten.cos.default(sin) : f32[4, 4]
    loss = aten.sum.default(cos) : f32[]
    grad = aten.mul.Tensor(tangents_1, cos) : f32[4, 4]
    return loss | grad)");
  EXPECT_EQ(saved(graph), "primals_1");
}

TEST(SavedValues, ComputeIntensiveOperatorsAreSaved) {
  const AnalysedGraph graph(R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    mm = aten.mm.default(primals_1, primals_1) : f32[4, 4]
    sin = aten.sin.default(mm) : f32[4, 4]
    loss = aten.sum.default(sin) : f32[]
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4, 4]
    return loss | grad)");
  EXPECT_EQ(saved(graph), "mm");
}

TEST(SavedValues, TheSideDecidesBetweenTiedCuts) {
  // Static inputs are free to save, and so are views of nothing: both cuts are worth 0.
  const std::string_view text = R"(
    primals_1 = placeholder : f32[4, 4] static
    tangents_1 = placeholder : f32[4, 4]
    slice = aten.slice.Tensor(primals_1, 0, 0, 0) : f32[0, 4]
    loss = aten.sum.default(slice) : f32[]
    grad = aten.mm.default(slice, tangents_1) : f32[0, 4]
    return loss | grad)";
  Settings settings;
  const AnalysedGraph nearest_backward(text, settings);
  settings.cut_side = CutSide::NearestForward;
  const AnalysedGraph nearest_forward(text, settings);
  EXPECT_EQ(saved(nearest_backward), "slice");
  EXPECT_EQ(saved(nearest_forward), "primals_1");
}

TEST(SavedValues, ABudgetOfZeroSavesTheInputsOfTheForward) {
  const AnalysedGraph graph(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    fwd_seed_0 = placeholder : i64[]
    primals_2 = placeholder : f32[4]
    bwd_seed_0 = placeholder : i64[]
    mul = aten.mul.Tensor(primals_1, primals_2) : f32[4]
    grad = aten.mul.Tensor(tangents_1, mul) : f32[4]
    return mul | grad)");
  const SavedValues choice = choose_saved_values(graph.analysis, 0);
  EXPECT_EQ(saved(graph, 0), "primals_1 primals_2 fwd_seed_0");
  EXPECT_TRUE(choice.decided_by<ByZeroBudget>());
  EXPECT_EQ(choice.budget, 0);
}

TEST(SavedValues, TheCutSaysWhatItWasSolvedOver) {
  const AnalysedGraph graph(R"(
    primals_1 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    sin = aten.sin.default(primals_1) : f32[4, 4]
    loss = aten.sum.default(sin) : f32[]
    grad = aten.mul.Tensor(tangents_1, sin) : f32[4, 4]
    return loss | grad)");
  const SavedValues choice = choose_saved_values(graph.analysis, 1);
  const auto* by = choice.decided_by<ByMinCut>();
  ASSERT_TRUE(by);
  ASSERT_EQ(by->solved.cuts.size(), 1u);
  // 64 bytes, two nodes from the backward: 64 * 1.1**2 = 77.4.
  EXPECT_TRUE(by->solved.cuts[0].value == 77);
  // Source, sink, both vertices of primals_1, sin and loss, the in-vertices of tangents_1, grad and output.
  EXPECT_EQ(by->solved.cuts[0].vertices, 11u);
  // From the source to primals_1 and loss; through three nodes; primals_1 to sin, sin to loss and grad, loss to the
  // output; to the sink from tangents_1 and grad.
  EXPECT_EQ(by->solved.cuts[0].edges, 11u);
  EXPECT_EQ(by->nodes.backward_reasons[graph.index("grad")], BackwardReason::ComputedInBackward);
  EXPECT_EQ(by->nodes.backward_reasons[graph.index("sin")], BackwardReason::None);
}

TEST(SavedValues, ATupleThatMustNotBeRecomputedIsAConflict) {
  const AnalysedGraph graph(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    topk = aten.topk.default(primals_1, 2) : tuple(f32[2], i64[2]) recompute=MUST_SAVE
    item = operator.getitem(topk, 0) : f32[2] recompute=MUST_RECOMPUTE
    grad = aten.mul.Tensor(tangents_1, item) : f32[4]
    return item | grad)");
  const std::string text = failure_of(graph);
  EXPECT_NE(text.find("\n    topk (aten.topk.default): cannot be recomputed: marked MUST_SAVE; cannot be saved: its "
                      "value is not a tensor"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n    item (operator.getitem): takes 'topk'; to be recomputed by its checkpoint policy"),
            std::string::npos)
      << text;
}

TEST(SavedValues, AViewIsNotSavedUnderRecomputeViews) {
  Settings settings;
  settings.recompute_views = true;
  const AnalysedGraph graph(R"(
    primals_1 = placeholder : f32[4]
    tangents_1 = placeholder : f32[4]
    view = aten.view.default(primals_1, [4]) : f32[4]
    grad = aten.mul.Tensor(tangents_1, view) : f32[4]
    return view | view, grad)",
                            settings);
  EXPECT_EQ(saved(graph), "primals_1");
}

TEST(SavedValues, AnInputThatIsWrittenToAfterTheForwardAndTakenByTheBackwardIsAConflict) {
  const AnalysedGraph graph(R"(
    primals_1 = placeholder : f32[4] aot_runtime_epilogue_input_mutation=true
    tangents_1 = placeholder : f32[4]
    grad = aten.mul.Tensor(tangents_1, primals_1) : f32[4]
    return primals_1 | grad)");
  const std::string text = failure_of(graph);
  EXPECT_NE(text.find("    primals_1 (placeholder): cannot be recomputed: an input of the step; cannot be saved: it is "
                      "written to after the forward, where its mutation is replayed"),
            std::string::npos)
      << text;
  EXPECT_TRUE(text.ends_with("\n  clone 'primals_1' in the forward before it is written to, and take the clone"))
      << text;
}

TEST(SavedValues, AGraphWhoseInputsAreAllRecomputedIsAConflict) {
  const AnalysedGraph graph(R"(
    tangents_1 = placeholder : f32[4]
    full = aten.full.default([4], 1) : f32[4]
    grad = aten.mul.Tensor(tangents_1, full) : f32[4]
    return | grad)");
  const std::string text = failure_of(graph);
  EXPECT_NE(text.find("there is nothing to save"), std::string::npos) << text;
}

}  // namespace
}  // namespace fxcut
