// The search for a decision within a limit of the peak reports its passes' times, and is as good as each kind of decision alone.
#include "partition/peak_search.h"

#include <gtest/gtest.h>

#include <string_view>

#include "diagnostic/diagnostic.h"
#include "graph_text.h"
#include "settings/memory_limit.h"

namespace fxcut {
namespace {

constexpr std::string_view kChain = R"(
    primals_1 = placeholder : f32[64, 64]
    primals_2 = placeholder : f32[64, 64]
    tangents_1 = placeholder : f32[64, 64]
    mm = aten.mm.default(primals_1, primals_2) : f32[64, 64]
    sin = aten.sin.default(mm) : f32[64, 64]
    mm_1 = aten.mm.default(sin, primals_2) : f32[64, 64]
    cos = aten.cos.default(mm_1) : f32[64, 64]
    mm_2 = aten.mm.default(cos, primals_2) : f32[64, 64]
    mul = aten.mul.Tensor(tangents_1, mm_2) : f32[64, 64]
    mul_1 = aten.mul.Tensor(mul, cos) : f32[64, 64]
    mul_2 = aten.mul.Tensor(mul_1, sin) : f32[64, 64]
    mul_3 = aten.mul.Tensor(mul_2, mm) : f32[64, 64]
    return mm_2 | mul_3, None)";

TEST(PeakSearch, EachSearchIsAPassOfItsOwn) {
  Settings settings;
  settings.memory_of = MemoryOf::Compiled;
  settings.peak_bytes_limit = MemoryLimit{};
  settings.peak_bytes_limit->is_least = true;
  int searches = 0;
  bool is_searching = false;  // since the last pass was done
  const HaltRequested halt = [&] {
    is_searching = true;
    return Halt::No;
  };
  const PassDone done = [&](std::string_view pass) {
    searches += pass == "decide";
    is_searching = false;
  };
  partition_within_peak(joint_graph(kChain), settings, {}, halt, done);
  EXPECT_GT(searches, 1) << "by the operators' peak, then by the code's";
  EXPECT_FALSE(is_searching) << "its time would be counted to the next pass, whatever that is";
}

// A boolean of the ReLU would be in memory beside its result, which is returned.
constexpr std::string_view kRelu = R"(
    primals_1 = placeholder : f32[16, 16]@0
    tangents_1 = placeholder : f32[16, 16]@1
    relu = aten.relu.default(primals_1) : f32[16, 16]@2
    grad = aten.threshold_backward.default(tangents_1, relu, 0) : f32[16, 16]@3
    return relu | grad)";

TEST(PeakSearch, FormsOfFewerBitsNeverRaiseTheLowestPeak) {
  Settings settings;
  settings.peak_bytes_limit = least_limit();
  settings.compress = Compress::Exact;
  settings.compress_classes = "matmul";
  const Report lowest = partition_within_peak(joint_graph(kRelu), settings, {}).report;
  EXPECT_TRUE(lowest.memory.peak_bytes == 3072);
  EXPECT_EQ(lowest.settings.compress, Compress::None);
  EXPECT_EQ(lowest.settings.compress_classes, "");
  EXPECT_EQ(basis_of_comparisons(joint_graph(kRelu), settings, {}, kNeverHalt).settings.compress, Compress::None);
  settings.peak_bytes_limit = limit_of_bytes(3072);
  EXPECT_NO_THROW(partition_within_peak(joint_graph(kRelu), settings, {}));
  settings.peak_bytes_limit = limit_of_bytes(3071);
  try {
    partition_within_peak(joint_graph(kRelu), settings, {});
    ADD_FAILURE() << "a lower peak is possible";
  } catch (const Failure& failure) {
    EXPECT_NE(std::string_view(failure.what()).find("as it needs 3072 bytes or more"), std::string_view::npos) << failure.what();
  }
}

// A search among more decisions may end with a worse one: it is beside that among fewer.
TEST(PeakSearch, WhatIsLeftToTheSolverIsNeverWorseThanWithoutIt) {
  const JointGraph joint = joint_graph(kChain);
  Settings settings;
  settings.memory_of = MemoryOf::Compiled;
  for (const std::int64_t limit : {0, 70'000, 85'000}) {
    settings.peak_bytes_limit = limit == 0 ? least_limit() : limit_of_bytes(limit);
    const Report plain = partition_within_peak(joint, settings, {}).report;
    for (const auto& mean : {+[](Settings& s) { s.offload = Offload::Auto; s.offload_dialect = OffloadDialect::Ao; },
                             +[](Settings& s) { s.compress = Compress::Auto; }, +[](Settings& s) { s.recompute_again = true; }}) {
      Settings with = settings;
      mean(with);
      const Report report = partition_within_peak(joint, with, {}).report;
      EXPECT_LE(report.peak_limit->limit_bytes, plain.peak_limit->limit_bytes);
      EXPECT_TRUE(report.peak_limit->limit_bytes < plain.peak_limit->limit_bytes ||
                  report.run_time->step_ms <= plain.run_time->step_ms);
    }
  }
}

TEST(PeakSearch, ASearchThatIsCutShortIsTold) {
  Settings settings;
  settings.peak_bytes_limit = limit_of_bytes(100'000);
  settings.compress = Compress::Auto;
  settings.budget_time_limit = 0;
  const Report report = partition_within_peak(joint_graph(kChain), settings, {}, [] { return Halt::TimeIsUp; }).report;
  if (report.frontier->is_proven) return;
  EXPECT_EQ(report.frontier->ended_by, EndedBy::Time);
  EXPECT_EQ(report.warnings.size(), 1u);
}

}  // namespace
}  // namespace fxcut
