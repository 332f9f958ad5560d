// The memory of a rank over its actions.
#include "schedule/rank_memory.h"

#include <gtest/gtest.h>

#include "schedule/known_schedules.h"
#include "schedule/receive_buffers.h"
#include "schedule/read_schedule.h"

namespace fxcut {
namespace {

using Bytes = std::vector<std::int64_t>;

constexpr StageBytes kStage{.parameters = 100, .gradients = 10, .held = 5, .forward = 7, .backward = 20,
                            .input_backward = 9, .held_for_weights = 6, .weight_backward = 18};

TEST(RankMemory, EachRankOf1F1BHoldsOneMicrobatchLess) {
  const Schedule schedule = make_schedule(*find_schedule("1F1B"), {3, 1, 4});
  const std::vector stages(3, kStage);
  // F0 F1 F2 B0 F3 B1 B2 B3: forwards add what is held, backwards end it and leave gradients.
  EXPECT_EQ(rank_memory(schedule, 0, stages).bytes, (Bytes{107, 112, 117, 130, 127, 140, 135, 130}));
  EXPECT_EQ(rank_memory(schedule, 2, stages).bytes, (Bytes{107, 120, 117, 130, 117, 130, 117, 130}));
  const RankMemory memory = rank_memory(schedule, 0, stages);
  EXPECT_EQ(memory.peak(), 140);
  EXPECT_EQ(memory.peak_at, 5U);
  EXPECT_EQ(memory.held_at_peak, 10);
}

TEST(RankMemory, ASplitBackwardHoldsUntilItsWeightsAreDone) {
  const Schedule schedule = read_schedule("0F0,0F1,0I0,0I1,0W0,0W1\n", "s.csv");
  EXPECT_EQ(rank_memory(schedule, 0, {kStage}).bytes, (Bytes{107, 112, 114, 115, 124, 128}));
  EXPECT_EQ(rank_memory(schedule, 0, {kStage}).after, (Bytes{105, 110, 111, 112, 116, 110}));
}

TEST(RankMemory, PartsOfAnOverlapAddUpAndCommunicationTakesNothing) {
  const Schedule schedule = read_schedule("0F0,0SEND_F0,(0F1;0B0)OVERLAP_F_B,0B1\n", "s.csv");
  EXPECT_EQ(rank_memory(schedule, 0, {kStage}).bytes, (Bytes{107, 105, 127, 130}));
}

TEST(RankMemory, StatesOfTheOptimizerAndBuffersAddUp) {
  const Schedule schedule = make_schedule(*find_schedule("GPipe"), {1, 1, 1});
  StageBytes stage = kStage;
  stage.optimizer = 1000;
  const RankMemory memory = rank_memory(schedule, 0, {stage}, {3, 0});
  EXPECT_EQ(memory.bytes, (Bytes{1110, 1120}));
  EXPECT_EQ(memory.optimizer, 1000);
  EXPECT_EQ(memory.buffers_at_peak, 0);
  EXPECT_EQ(rank_memory(schedule, 0, {stage}, {300, 0}).buffers_at_peak, 300);
}

// Rank 0 runs F0 F1 F2 B0 B1 B2, rank 1 a forward later the same.
TEST(ReceiveBuffers, AreThereFromTheSendersEndUntilTheyAreTaken) {
  const Schedule schedule = make_schedule(*find_schedule("GPipe"), {2, 1, 3});
  const std::vector<StageLink> links = {{0, 1, 5, 7}};
  EXPECT_EQ(receive_buffers(schedule, 1, links), (Bytes{5, 5, 0, 0, 0, 0}));
  EXPECT_EQ(receive_buffers(schedule, 0, links), (Bytes{0, 0, 0, 7, 7, 0}));
  EXPECT_EQ(receive_buffers(schedule, 0, {}), (Bytes(6)));
  const Schedule one_rank = read_schedule("0F0,1F0,1B0,0B0\n", "s.csv");
  EXPECT_EQ(receive_buffers(one_rank, 0, links), (Bytes(4)));
}

TEST(RankMemory, AllStagesOfTheRankAreResident) {
  const Schedule schedule = make_schedule(*find_schedule("GPipe"), {1, 1, 1});
  const Schedule two = read_schedule("0F0,1F0,1B0,0B0\n", "s.csv");
  EXPECT_EQ(rank_memory(schedule, 0, {kStage}).parameters, 100);
  EXPECT_EQ(rank_memory(two, 0, {kStage, kStage}).bytes, (Bytes{207, 212, 225, 230}));
}

}  // namespace
}  // namespace fxcut
