// The parts that outputs show add up to the report's totals, on random joint graphs and on those of testdata.
#include <gtest/gtest.h>

#include <vector>

#include <filesystem>

#include "html/page_data.h"
#include "random_partition.h"
#include "read/read_file.h"
#include "read/read_graph.h"

namespace fxcut {
namespace {

// What the modules keep themselves, through folded layers or through each of them.
std::int64_t sum_of_own(const ModuleBytes& module, bool is_folded) {
  std::int64_t sum = 0;
  if (!is_folded && !module.members.empty()) {
    for (const ModuleBytes& member : module.members) sum += sum_of_own(member, is_folded);
    return sum;
  }
  for (const ModuleBytes& child : module.children) sum += sum_of_own(child, is_folded);
  return sum + module.own_bytes;
}

void expect_sums(const Partition& result) {
  const PageData data = page_data(result.report, result.graphs, result.running(), result.memory);
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

  std::vector<Wide> in_use(data.steps.size() + 1);  // changes first
  for (const PageAllocation& one : data.allocations) {
    in_use[one.first_step] += one.size_bytes;
    in_use[one.last_step.value_or(data.steps.size() - 1) + 1] -= one.size_bytes;
  }
  for (std::size_t step = 0; step < data.steps.size(); ++step) {
    if (step > 0) in_use[step] += in_use[step - 1];
    EXPECT_TRUE(in_use[step] == data.step_bytes[step]) << step;
  }
  EXPECT_TRUE(data.step_bytes.at(data.peak_step) == result.report.memory.peak_bytes);
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
