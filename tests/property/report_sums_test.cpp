// The parts that outputs show add up to the report's totals, on random joint graphs and on those of testdata.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "html/page_data.h"
#include "random_partition.h"
#include "read/read_file.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

// The bytes that the modules themselves keep, through folded layers or through each of them.
std::int64_t sum_of_own(const ModuleBytes& module, bool is_folded) {
  std::int64_t sum = 0;
  if (!is_folded && !module.members.empty()) {
    for (const ModuleBytes& member : module.members) sum += sum_of_own(member, is_folded);
    return sum;
  }
  for (const ModuleBytes& child : module.children) sum += sum_of_own(child, is_folded);
  return sum + module.own_bytes;
}

std::vector<Int128> bytes_of(const PageCurve& curve) {
  std::vector<Int128> in_use(curve.steps.size() + 1);  // changes first
  for (const PageAllocation& one : curve.allocations) {
    in_use[one.first_step] += one.size_bytes;
    in_use[one.last_step.value_or(curve.steps.size() - 1) + 1] -= one.size_bytes;
  }
  for (std::size_t step = 1; step < in_use.size(); ++step) in_use[step] += in_use[step - 1];
  in_use.pop_back();
  return in_use;
}

void expect_sums(const Partition& result) {
  const PageDecision data = page_data({{result}}).decisions.front();
  const Totals& totals = result.report.totals;
  std::int64_t bytes = 0, kept = 0, parameters = 0;
  std::size_t keepers = 0;
  for (const PageSaved& saved : data.saved) {
    if (saved.row.kind != CrossingKind::Value) continue;
    const SavedValue& value = saved.row.value;
    bytes += value.size_bytes;
    kept += value.kept_bytes;
    if (value.kept_bytes > 0) ++keepers;
    if (!value.static_lifetime) continue;
    parameters += value.size_bytes;
    EXPECT_EQ(value.kept_bytes, 0) << value.name << " is always resident";
  }
  EXPECT_EQ(bytes, totals.saved_bytes);
  EXPECT_EQ(parameters, totals.saved_bytes_static);
  EXPECT_EQ(kept, totals.saved_bytes_not_static);
  EXPECT_EQ(data.modules_held.bytes, totals.saved_bytes_not_static);
  EXPECT_EQ(data.modules_held.values, keepers);
  EXPECT_EQ(sum_of_own(data.modules_held, true), totals.saved_bytes_not_static);
  EXPECT_EQ(sum_of_own(data.modules_held, false), totals.saved_bytes_not_static);

  const MemoryReport& memory = result.report.memory;
  const PageCurve& operators = data.curves.back();
  const std::vector<Int128> by_operator = bytes_of(operators);
  ASSERT_EQ(by_operator.size(), result.memory.curve.size());
  for (std::size_t s = 0; s < by_operator.size(); ++s) EXPECT_TRUE(by_operator[s] == result.memory.curve[s].bytes) << s;
  EXPECT_TRUE(by_operator.at(operators.peak_step) == memory.peak_bytes);
  if (data.curves.size() == 1) return;
  const std::vector<Int128> by_kernel = bytes_of(data.curves.front());
  EXPECT_TRUE(std::ranges::max(by_kernel) == memory.compiled->peak_bytes);
  EXPECT_TRUE(by_kernel.at(data.curves.front().peak_step) == memory.compiled->peak_bytes);
  EXPECT_TRUE(std::ranges::min(by_kernel) >= 0);
}

TEST(ReportSums, PartsAddUpOnRandomGraphs) {
  for_each_partition([](const JointGraph&, const Partition& result, std::uint32_t) { expect_sums(result); });
}

TEST(ReportSums, PartsAddUpOnTestdata) {
  std::size_t added_up = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(FXCUT_TESTDATA)) {
    std::string path = entry.path().string();
    constexpr std::string_view kAnswers = ".expected.json";
    if (!path.ends_with(kAnswers) || entry.path().parent_path().filename() == "steps") continue;
    path.replace(path.size() - kAnswers.size(), kAnswers.size(), ".json");
    SCOPED_TRACE(path);
    for (const bool offloads : {false, true}) {
      Settings settings;
      settings.enable_activation_offloading = offloads;
      try {
        expect_sums(partition(read_joint_graph(*Document::parse(read_file(path), path)), settings));
        ++added_up;
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.status(), ExitStatus::NoPartition) << failure.what();
      }
    }
  }
  EXPECT_GT(added_up, 40u);
}

}  // namespace
}  // namespace fxcut
