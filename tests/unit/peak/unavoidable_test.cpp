// The memory of the backward whatever is decided, and the memory that keeping adds: a chain, counted by hand.
#include "peak/unavoidable.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "unit/peak/simulated_graph.h"

namespace fxcut {
namespace {

// The backward takes c at its position 1, b at 2, a at 3, the inputs at 4 and 5; 6 is its output. Each value has 1024 bytes.
constexpr std::string_view kChain = R"(
    primals_1 = placeholder : f32[256]
    primals_2 = placeholder : f32[256]
    tangents_1 = placeholder : f32[256]
    a = aten.sin.default(primals_1) : f32[256]
    b = aten.cos.default(a) : f32[256]
    c = aten.exp.default(b) : f32[256]
    out = aten.neg.default(c) : f32[256]
    g1 = aten.mul.Tensor(tangents_1, c) : f32[256]
    g2 = aten.mul.Tensor(g1, b) : f32[256]
    g3 = aten.mul.Tensor(g2, a) : f32[256]
    g4 = aten.mul.Tensor(g3, primals_1) : f32[256]
    g5 = aten.mul.Tensor(g4, primals_2) : f32[256]
    return out | g5
)";
constexpr Int128 kValueBytes = 1024;

std::vector<Int128> times_value(std::vector<Int128> counts) {
  for (Int128& count : counts) count *= kValueBytes;
  return counts;
}

std::string shown_spans(const std::vector<Span>& spans) {
  std::string text;
  for (const Span& span : spans) text += std::to_string(span.first) + "-" + std::to_string(span.last) + " ";
  return text;
}

TEST(Unavoidable, IsWhatTheBackwardsOwnNodesNeed) {
  const SimulatedGraph graph(kChain);
  const Unavoidable found = find_unavoidable(graph.problem, graph.analysis, graph.simulation);
  EXPECT_EQ(found.own_bytes, times_value({1, 2, 3, 3, 3, 3, 2})) << "the tangent, and what a node takes and makes";
  EXPECT_EQ(found.bytes, times_value({1, 3, 4, 4, 3, 3, 2})) << "and c, b and a where they are used; inputs are the caller's";
  EXPECT_EQ(found.memory[graph.storage("primals_1")], 0);
  EXPECT_EQ(found.memory[graph.storage("a")], 1024);
}

TEST(Unavoidable, AKeptValueAddsItsMemoryUpToItsUse) {
  const SimulatedGraph graph(kChain);
  const Unavoidable found = find_unavoidable(graph.problem, graph.analysis, graph.simulation);
  EXPECT_EQ(shown_spans(found.kept[graph.storage("b")]), "0-1 ");
  EXPECT_EQ(shown_spans(found.kept[graph.storage("a")]), "0-2 ");
  EXPECT_EQ(kept_by_position(found, graph.kept({"a", "b"})), times_value({2, 2, 1, 0, 0, 0, 0}));
}

// The backward takes a at 1 and, seen as a matrix, at 4.
constexpr std::string_view kUsedTwice = R"(
    primals_1 = placeholder : f32[256]@0
    tangents_1 = placeholder : f32[256]@1
    base = aten.exp.default(primals_1) : f32[256]@2
    a = aten.sin.default(base) : f32[256]@3
    matrix = aten.view.default(a, [16, 16]) : f32[16, 16]@3
    g1 = aten.mul.Tensor(tangents_1, a) : f32[256]@4
    g2 = aten.neg.default(g1) : f32[256]@5
    g3 = aten.view.default(g2, [16, 16]) : f32[16, 16]@5
    g4 = aten.mul.Tensor(g3, matrix) : f32[16, 16]@6
    return a | g4
)";

TEST(Unavoidable, BetweenTwoUsesOnlyKeepingHoldsAStorage) {
  std::string text(kUsedTwice);
  text.replace(text.find("return a"), 8, "return base");
  const SimulatedGraph graph(text);
  const Unavoidable found = find_unavoidable(graph.problem, graph.analysis, graph.simulation);
  EXPECT_EQ(shown_spans(found.kept[graph.storage("a")]), "0-0 2-3 ");
}

TEST(Unavoidable, AValueKeptForRecomputingIsHeldUntilTheFirstResultIsUsed) {
  const SimulatedGraph graph(kUsedTwice);
  const Unavoidable found = find_unavoidable(graph.problem, graph.analysis, graph.simulation);
  EXPECT_TRUE(found.is_needed[graph.storage("base")]);
  EXPECT_EQ(shown_spans(found.kept[graph.storage("base")]), "0-0 ") << "a is made of it, for 1";
  EXPECT_EQ(find_uses(graph.problem, graph.analysis, graph.simulation, 0)[graph.item("base")].first, kNever);
}

TEST(Unavoidable, AnOutputOfTheForwardAddsNothingWhereItIsKept) {
  std::string text(kChain);
  text.replace(text.find("return out"), 10, "return out, b");
  const SimulatedGraph graph(text);
  const Unavoidable found = find_unavoidable(graph.problem, graph.analysis, graph.simulation);
  EXPECT_EQ(shown_spans(found.kept[graph.storage("b")]), "");
  EXPECT_EQ(found.bytes, times_value({2, 4, 4, 5, 4, 4, 3})) << "b is its caller's to the end";
}

TEST(Unavoidable, FromAPositionOnOnlyLaterUsesCount) {
  const SimulatedGraph graph(kChain);
  const Unavoidable found = find_unavoidable(graph.problem, graph.analysis, graph.simulation, 2);
  EXPECT_FALSE(found.is_needed[graph.storage("b")]) << "used at 2 for the last time";
  EXPECT_TRUE(found.is_needed[graph.storage("a")]);
  EXPECT_EQ(shown_spans(found.kept[graph.storage("a")]), "2-2 ");
}

TEST(Unavoidable, BoundsThePeakOfAllChoices) {
  const SimulatedGraph graph(kChain);
  const Unavoidable found = find_unavoidable(graph.problem, graph.analysis, graph.simulation);
  Fixings fixings = all_open(graph.problem);
  EXPECT_EQ(least_backward_peak(found, fixings), 4 * kValueBytes);
  fixings[graph.storage("b")] = Fixing::Kept;
  EXPECT_EQ(least_backward_peak(found, fixings), 4 * kValueBytes) << "it fits beside c";
  fixings[graph.storage("a")] = Fixing::Kept;
  EXPECT_EQ(least_backward_peak(found, fixings), 5 * kValueBytes) << "a, where it is not used yet";
}

TEST(Unavoidable, InputsMayBeKeptBeyondALimitOfThePeakAndTangentsCount) {
  const SimulatedGraph graph(kChain);
  const Unavoidable found = find_unavoidable(graph.problem, graph.analysis, graph.simulation);
  EXPECT_EQ(beyond_limit(graph.problem, found), 2 * 1024 - 1024);
}

TEST(Unavoidable, TheRestIsWhatIsRecomputedEarly) {
  SimulatedGraph graph(kChain);
  const Unavoidable found = find_unavoidable(graph.problem, graph.analysis, graph.simulation);
  const KeptStorages inputs = graph.kept({"primals_1", "primals_2"});
  Evaluation evaluation(graph.problem);
  ASSERT_TRUE(evaluation.run(inputs).feasible);
  const StepSimulation::Result result = graph.simulation.run(evaluation);
  Int128 cost = 0;
  for (const std::string_view name : {"a", "b", "c"}) cost += graph.problem.items[graph.item(name)].run_cost;
  const std::vector<Int128> costs = run_cost_by_position(evaluation, graph.problem, graph.simulation, result);
  EXPECT_EQ(costs, (std::vector<Int128>{0, cost, 0, 0, 0, 0, 0})) << "all for c, which is used first";
  // At 1 a and b are there, which c was made of, at 2 a; and in the whole backward the output, which it does not need.
  EXPECT_EQ(recomputed_by_position(found, graph.simulation, result, inputs), times_value({0, 3, 2, 1, 1, 1, 1}));
}

}  // namespace
}  // namespace fxcut
