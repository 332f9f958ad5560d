// Differences between two graphs.
#include "compare/compare_graphs.h"

#include <gtest/gtest.h>

#include "compare/phrases.h"
#include "graph_text.h"

namespace fxcut {
namespace {

using Lines = std::vector<std::string>;

Difference compare(std::string_view before, std::string_view after, GraphForm form = GraphForm::Joint) {
  return compare_graphs({form, joint_graph(before)}, {form, joint_graph(after)});
}

Lines lines_of(const std::vector<ValueChange>& changes) {
  Lines lines;
  for (const ValueChange& change : changes) {
    lines.push_back(std::string(name_of(change.kind)) + " " + show_name(change));
  }
  return lines;
}

constexpr std::string_view kGraph = R"(
    primals_1 = placeholder : f32[4, 4]
    primals_2 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    mm = aten.mm.default(primals_1, primals_2) : f32[4, 4]
    sin = aten.sin.default(mm) : f32[4, 4]
    add = aten.add.Tensor(sin, 1) : f32[4, 4]
    mul = aten.mul.Tensor(tangents_1, sin) : f32[4, 4]
    return add | mul)";

TEST(CompareGraphs, AGraphIsTheSameAsItself) { EXPECT_TRUE(compare(kGraph, kGraph).is_same()); }

TEST(CompareGraphs, NodesMayBeNumberedOtherwise) {
  constexpr std::string_view kRenamed = R"(
    primals_7 = placeholder : f32[4, 4]
    primals_9 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    mm_6 = aten.mm.default(primals_7, primals_9) : f32[4, 4]
    sin_2 = aten.sin.default(mm_6) : f32[4, 4]
    add_1 = aten.add.Tensor(sin_2, 1) : f32[4, 4]
    mul_5 = aten.mul.Tensor(tangents_1, sin_2) : f32[4, 4]
    return add_1 | mul_5)";
  EXPECT_TRUE(compare(kGraph, kRenamed).is_same());
}

TEST(CompareGraphs, ANodeInBetweenIsWhatCame) {
  constexpr std::string_view kWithNeg = R"(
    primals_1 = placeholder : f32[4, 4]
    primals_2 = placeholder : f32[4, 4]
    tangents_1 = placeholder : f32[4, 4]
    mm = aten.mm.default(primals_1, primals_2) : f32[4, 4]
    neg = aten.neg.default(mm) : f32[4, 4]
    sin = aten.sin.default(neg) : f32[4, 4]
    add = aten.add.Tensor(sin, 1) : f32[4, 4]
    mul = aten.mul.Tensor(tangents_1, sin) : f32[4, 4]
    return add | mul)";
  EXPECT_EQ(lines_of(compare(kGraph, kWithNeg).nodes), (Lines{"came neg", "rewired sin"}));
  EXPECT_EQ(lines_of(compare(kWithNeg, kGraph).nodes), (Lines{"went neg", "rewired sin"}));
}

TEST(CompareGraphs, AChangedConstantIsReported) {
  std::string after(kGraph);
  after.replace(after.find("(sin, 1)"), 8, "(sin, 2)");
  EXPECT_EQ(lines_of(compare(kGraph, after).nodes), Lines{"rewired add"});
}

TEST(CompareGraphs, SwappedArgumentsAreReported) {
  std::string after(kGraph);
  after.replace(after.find("(primals_1, primals_2)"), 22, "(primals_2, primals_1)");
  EXPECT_EQ(lines_of(compare(kGraph, after).nodes), Lines{"moved primals_2 -> primals_1"});
}

TEST(CompareGraphs, SavedValuesOfForwards) {
  const auto forward = [](std::string_view saved) {
    return R"(
    primals_1 = placeholder : f32[4, 4]
    mm = aten.mm.default(primals_1, primals_1) : f32[4, 4]
    sin = aten.sin.default(mm) : f32[4, 4]
    return sin | )" + std::string(saved);
  };
  const Difference difference = compare(forward("mm"), forward("primals_1"), GraphForm::Forward);
  EXPECT_EQ(difference.what, "forward");
  EXPECT_EQ(lines_of(difference.saved), (Lines{"came primals_1", "went mm"}));
  EXPECT_EQ(lines_of(difference.nodes), Lines{"rewired output"});
  EXPECT_TRUE(compare(forward("mm"), forward("mm"), GraphForm::Forward).is_same());
}

}  // namespace
}  // namespace fxcut
