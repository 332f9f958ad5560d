// One decision for several sizes, on a layer of two experts that share a number of tokens: what is large at the one size is small
// at the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "partition/peak_search.h"
#include "read/read_graph.h"
#include "sizes/decide_for_sizes.h"
#include "sizes/hinted_text.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

// The notation with the number of the expert in place of E, and its tokens in place of N.
std::string of_expert(std::string_view notation, const std::string& number, const std::string& tokens) {
  std::string text;
  for (const char c : notation) text += c == 'E' ? number : c == 'N' ? tokens : std::string(1, c);
  return text;
}

// Two products, and cheap operators between them.
constexpr std::string_view kExpert = R"(
    mm_E = aten.mm.default(primals_E, primals_9) : f32[uE=N, 64]
    sin_E = aten.sin.default(mm_E) : f32[uE=N, 64]
    exp_E = aten.exp.default(sin_E) : f32[uE=N, 64]
    mm_E9 = aten.mm.default(exp_E, primals_9) : f32[uE=N, 64]
    cos_E = aten.cos.default(mm_E9) : f32[uE=N, 64]
)";

constexpr std::string_view kBackward = R"(
    mul_E = aten.mul.Tensor(tangents_E, cos_E) : f32[uE=N, 64]
    mul_E1 = aten.mul.Tensor(mul_E, mm_E9) : f32[uE=N, 64]
    mul_E2 = aten.mul.Tensor(mul_E1, exp_E) : f32[uE=N, 64]
    mul_E3 = aten.mul.Tensor(mul_E2, sin_E) : f32[uE=N, 64]
    mul_E4 = aten.mul.Tensor(mul_E3, mm_E) : f32[uE=N, 64]
)";

std::string experts() {
  return "primals_1 = placeholder : f32[u1=100, 64]\nprimals_2 = placeholder : f32[u2=100, 64]\n"
         "primals_9 = placeholder : f32[64, 64] static\n"
         "tangents_1 = placeholder : f32[u1=100, 64]\ntangents_2 = placeholder : f32[u2=100, 64]\n" +
         of_expert(kExpert, "1", "100") + of_expert(kExpert, "2", "100") + of_expert(kBackward, "1", "100") +
         of_expert(kBackward, "2", "100") +
         "return cos_1, cos_2 | mul_14, mul_24, None";
}

JointGraph at_tokens(std::int64_t first, std::int64_t second) {
  const SymbolHints hints{{"u1", first}, {"u2", second}};
  const auto document = Document::parse(joint_json(experts()), "experts.json");
  JointGraph joint = read_joint_graph(*Document::parse(hinted_text(*document, hints), "experts.json"));
  joint.hints = hints;
  return joint;
}

const std::vector<JointGraph>& sizes_of_experts() {
  static const std::vector<JointGraph> sizes = {at_tokens(1000, 40), at_tokens(40, 1000), at_tokens(500, 500)};
  return sizes;
}

Settings within_saved(const MemoryLimit& limit) {
  Settings settings;
  settings.saved_bytes_limit = limit;
  settings.activation_memory_budget_solver = frontier_solver();
  return settings;
}

constexpr std::int64_t kValue = 1000 * 64 * 4;  // bytes of a value of 1000 tokens

// The figures at each size are those of the decision made again there.
void expect_true_figures(const DecidedForSizes& decided) {
  const VaryingSizes& told = *decided.partition.report.varying_sizes;
  ASSERT_EQ(told.points.size(), sizes_of_experts().size());
  for (std::size_t p = 0; p < told.points.size(); ++p) {
    const Report there = replay(sizes_of_experts()[p], decided.partition.report).report;
    EXPECT_EQ(told.points[p].saved_bytes, there.totals.saved_bytes_not_static);
    EXPECT_EQ(told.points[p].peak_bytes, there.memory.counted_peak_bytes());
    EXPECT_EQ(told.points[p].step_ms, there.run_time->step_ms);
    EXPECT_TRUE(there.warnings.empty());
  }
}

TEST(DecideForSizes, SavedBytesAreWithinTheLimitAtEachSizeAndAtLeastTheBoundIsRecomputed) {
  for (const LeastFor least_for : {LeastFor::Mean, LeastFor::Worst}) {
    for (const std::int64_t limit : {3 * kValue, 4 * kValue, 6 * kValue, 20 * kValue}) {
      SCOPED_TRACE(limit);
      const DecidedForSizes decided = decide_for_sizes(sizes_of_experts(), within_saved(limit_of_bytes(limit)), {}, least_for);
      expect_true_figures(decided);
      const VaryingSizes& told = *decided.partition.report.varying_sizes;
      for (const SizePoint& point : told.points) EXPECT_LE(point.saved_bytes, limit);
      ASSERT_TRUE(told.quality.has_value());
      EXPECT_LE(static_cast<long>(told.quality->bound), static_cast<long>(told.quality->run_cost));
    }
  }
}

// One size alone would save everything of the expert that has few tokens there.
TEST(DecideForSizes, ADecisionForOneSizeIsNotWithinTheLimitAtTheOther) {
  Settings settings = within_saved(limit_of_bytes(4 * kValue));
  settings.memory_of = MemoryOf::Operators;  // saving is free
  const Partition alone = partition(sizes_of_experts()[0], settings);
  EXPECT_GT(replay(sizes_of_experts()[1], alone.report).report.totals.saved_bytes_not_static, 4 * kValue);
}

TEST(DecideForSizes, ThePeakIsWithinTheLimitAtEachSize) {
  std::vector<Int128> peaks;
  for (const JointGraph& joint : sizes_of_experts()) peaks.push_back(partition(joint, {}).report.memory.peak_bytes);
  Settings settings;
  const auto limit = static_cast<std::int64_t>(*std::ranges::max_element(peaks) * 9 / 10);
  settings.peak_bytes_limit = limit_of_bytes(limit);
  settings.activation_memory_budget_solver = frontier_solver();
  const DecidedForSizes decided = decide_for_sizes(sizes_of_experts(), settings, {}, LeastFor::Mean);
  expect_true_figures(decided);
  for (const SizePoint& point : decided.partition.report.varying_sizes->points) EXPECT_LE(point.peak_bytes, limit);
  EXPECT_EQ(decided.partition.report.settings.peak_bytes_limit, settings.peak_bytes_limit);
}

TEST(DecideForSizes, TheLeastIsTheLeastAtEachSize) {
  const MemoryLimit least = least_limit();
  const DecidedForSizes decided = decide_for_sizes(sizes_of_experts(), within_saved(least), {}, LeastFor::Mean);
  expect_true_figures(decided);
  for (std::size_t p = 0; p < sizes_of_experts().size(); ++p) {
    const Partition alone = partition(sizes_of_experts()[p], within_saved(least));
    EXPECT_EQ(decided.partition.report.varying_sizes->points[p].saved_bytes, alone.report.totals.saved_bytes_not_static);
  }
}

TEST(DecideForSizes, ALimitThatCannotBeMetIsRefusedWithTheSize) {
  try {
    decide_for_sizes(sizes_of_experts(), within_saved(limit_of_bytes(kValue * 101 / 100)), {}, LeastFor::Mean);
    ADD_FAILURE() << "expected a failure";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_NE(std::string(failure.what()).find("at u1="), std::string::npos) << failure.what();
    EXPECT_NE(std::string(failure.what()).find("the least possible is"), std::string::npos) << failure.what();
  }
}

TEST(DecideForSizes, WithoutALimitTheDecisionIsThatOfTheFirstSizes) {
  const DecidedForSizes decided = decide_for_sizes(sizes_of_experts(), {}, {}, LeastFor::Mean);
  expect_true_figures(decided);
  EXPECT_EQ(decided.at, 0u);
  EXPECT_FALSE(decided.partition.report.varying_sizes->binding.has_value());
}

}  // namespace
}  // namespace fxcut
