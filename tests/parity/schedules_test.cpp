// Pipeline schedules against PyTorch's, on testdata/schedules.json (made by record_schedules.py, which describes what is
// compared).
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "diagnostic/diagnostic.h"
#include "json_graph.h"
#include "read/read_file.h"
#include "schedule/known_schedules.h"
#include "schedule/liveness.h"
#include "schedule/read_schedule.h"
#include "schedule/simulate.h"

namespace fxcut {
namespace {

// From another file of record_schedules.py (--all) if the environment names one.
Json recorded_schedules() {
  const char* other = std::getenv("FXCUT_SCHEDULES");
  return Json::parse(read_file(other ? other : FXCUT_TESTDATA "/schedules.json")).at("schedules");
}

std::string fnv_of(const std::string& text) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value));
  return digits;
}

Schedule make(const Json& row) {
  const ScheduleSize size{row.at("ranks"), row.at("stages_per_rank"), row.at("microbatches")};
  return make_schedule(*find_schedule(row.at("name").get<std::string>()), size);
}

Json liveness_of(const Schedule& schedule, LivenessOf granularity) {
  Json slots = Json::array();
  std::string lines;
  for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
    const ActivationLiveness found = find_liveness(schedule, static_cast<int>(rank), granularity);
    slots.push_back(found.slots);
    for (const ActivationLifetime& one : found.lifetimes) {
      lines += std::to_string(one.stage) + " " + std::to_string(one.microbatch) + " " + std::to_string(one.first) + " " +
               std::to_string(one.last) + " " + std::to_string(one.slot) + "\n";
    }
  }
  return {{"slots", slots}, {"lifetimes", fnv_of(lines)}};
}

std::string begins_of(const Schedule& schedule) {
  const StageTimes kUnits = {1, 2, 1, 1};
  const SimulatedStep step = simulate(schedule, std::vector(static_cast<std::size_t>(shape_of(schedule).stages), kUnits));
  std::string lines;
  for (const auto& actions : step.actions) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
      lines += (i == 0 ? "" : ",") + std::to_string(static_cast<int>(actions[i].begin_ms));
    }
    lines += "\n";
  }
  return fnv_of(lines);
}

TEST(RecordedSchedules, AreMadeActionByActionAsPyTorchMakesThem) {
  std::size_t compared = 0, refused = 0;
  for (const Json& row : recorded_schedules()) {
    if (row.contains("refused")) {
      EXPECT_THROW(make(row), Failure) << row;
      ++refused;
      continue;
    }
    const Schedule schedule = make(row);
    EXPECT_EQ(fnv_of(schedule_csv(schedule)), row.at("actions")) << row;
    EXPECT_TRUE(find_mistakes(schedule).empty()) << row;
    EXPECT_EQ(read_schedule(schedule_csv(schedule), "csv"), schedule) << row;
    ++compared;
  }
  EXPECT_GT(compared, 300U);
  EXPECT_GT(refused, 50U);
}

TEST(RecordedSchedules, HaveInFlightWhatPyTorchSaysAtBothGranularities) {
  for (const Json& row : recorded_schedules()) {
    if (row.contains("refused")) continue;
    const Schedule schedule = make(row);
    EXPECT_EQ(liveness_of(schedule, LivenessOf::StageMicrobatch), row.at("stage_microbatch")) << row;
    EXPECT_EQ(liveness_of(schedule, LivenessOf::Microbatch), row.at("microbatch")) << row;
  }
}

TEST(RecordedSchedules, BeginTheirActionsWhenPyTorchsVisualizerSays) {
  std::size_t compared = 0;
  for (const Json& row : recorded_schedules()) {
    if (!row.contains("begins")) continue;
    EXPECT_EQ(begins_of(make(row)), row.at("begins")) << row;
    ++compared;
  }
  EXPECT_GT(compared, 100U);
}

}  // namespace
}  // namespace fxcut
