// A decision for each stage, so that every rank fits.
#include "stage/plan_stages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "diagnostic/diagnostic.h"
#include "schedule/known_schedules.h"

namespace fxcut {
namespace {

using Choices = std::vector<std::vector<StageChoice>>;

// A decision that holds `held` bytes and recomputes for `recompute_ms`.
StageChoice choice(std::int64_t held, double recompute_ms) {
  StageChoice one;
  one.bytes.held = held;
  one.bytes.forward = held;
  one.bytes.backward = held + 10;
  one.times = {1, 2 + recompute_ms, 0, 0};
  return one;
}

double step_ms(const Schedule& schedule, const Choices& choices, const std::vector<std::size_t>& picked) {
  std::vector<StageTimes> times;
  for (std::size_t i = 0; i < picked.size(); ++i) times.push_back(choices[i][picked[i]].times);
  return simulate(schedule, times).step_ms;
}

bool fits(const Schedule& schedule, const Choices& choices, const std::vector<std::size_t>& picked, std::int64_t limit) {
  std::vector<StageBytes> bytes;
  for (std::size_t i = 0; i < picked.size(); ++i) bytes.push_back(choices[i][picked[i]].bytes);
  for (std::size_t rank = 0; rank < schedule.size(); ++rank) {
    if (rank_memory(schedule, rank, bytes).peak() > limit) return false;
  }
  return true;
}

// The best of all combinations; negative if none fits.
double best_of_all(const Schedule& schedule, const Choices& choices, std::int64_t limit) {
  std::vector<std::size_t> picked(choices.size());
  double best = -1;
  for (bool is_done = false; !is_done;) {
    if (fits(schedule, choices, picked, limit)) {
      const double ms = step_ms(schedule, choices, picked);
      if (best < 0 || ms < best) best = ms;
    }
    std::size_t i = 0;
    while (i < picked.size() && ++picked[i] == choices[i].size()) picked[i++] = 0;
    is_done = i == picked.size();
  }
  return best;
}

Choices random_choices(std::mt19937& random, std::size_t stages) {
  Choices all(stages);
  for (auto& of_stage : all) {
    for (int i = 0; i < 4; ++i) {
      const auto held = static_cast<std::int64_t>(random() % 40);
      of_stage.push_back(choice(held, static_cast<double>(random() % 8)));
    }
  }
  return all;
}

TEST(PlanStages, AnEarlierStageHoldsMoreMicrobatchesAndRecomputesMore) {
  const Schedule schedule = make_schedule(*find_schedule("1F1B"), {2, 1, 4});
  const Choices choices(2, {choice(10, 1), choice(20, 0)});
  EXPECT_EQ(plan_stages(schedule, choices, 50).picked, (std::vector<std::size_t>{1, 1}));
  EXPECT_EQ(plan_stages(schedule, choices, 40).picked, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(plan_stages(schedule, choices, 30).picked, (std::vector<std::size_t>{0, 1}));
}

TEST(PlanStages, WithOneStageOnARankItIsTheBestOfAll) {
  std::mt19937 random(1);
  std::size_t planned = 0;
  for (int i = 0; i < 100; ++i) {
    const Schedule schedule = make_schedule(*find_schedule(i % 2 == 0 ? "1F1B" : "GPipe"), {3, 1, 4});
    const Choices choices = random_choices(random, 3);
    const auto limit = static_cast<std::int64_t>(30 + random() % 100);
    const double best = best_of_all(schedule, choices, limit);
    if (best < 0) {
      EXPECT_THROW(plan_stages(schedule, choices, limit), Failure);
      continue;
    }
    const StagePlan plan = plan_stages(schedule, choices, limit);
    EXPECT_EQ(step_ms(schedule, choices, plan.picked), best) << i;
    EXPECT_EQ(plan.least_step_ms, best) << i;
    EXPECT_TRUE(fits(schedule, choices, plan.picked, limit));
    ++planned;
  }
  EXPECT_GT(planned, 30U);
}

// A backward in two parts that holds `between` bytes between them.
StageChoice split_choice(std::int64_t held, std::int64_t between, double weight_ms, Holding holding) {
  StageChoice one = choice(held, 0);
  one.bytes.input_backward = held + 10;
  one.bytes.held_for_weights = between;
  one.bytes.weight_backward = between + 5;
  one.times.input_backward_ms = 1;
  one.times.weight_backward_ms = weight_ms;
  one.holding = holding;
  return one;
}

TEST(PlanStages, FindsAPairOfDecisionsThatFitsWhereNeitherDoesAlone) {
  const Schedule schedule = make_schedule(*find_schedule("ZBVZeroBubble"), {1, 2, 2});
  StageChoice big = split_choice(20, 20, 1, Holding::AsNeeded), small = split_choice(5, 5, 2, Holding::AsNeeded);
  small.bytes.forward = big.bytes.forward = 0;
  const Choices choices(2, {big, small});
  EXPECT_EQ(plan_stages(schedule, choices, 30).picked, (std::vector<std::size_t>{1, 1}));
}

TEST(PlanStages, IsNeverWorseForHoldingTheLeast) {
  std::mt19937 random(3);
  std::size_t better = 0;
  for (int i = 0; i < 80; ++i) {
    const Schedule schedule = make_schedule(*find_schedule(i % 2 == 0 ? "ZBVZeroBubble" : "InterleavedZeroBubble"), {2, 2, 4});
    Choices as_needed(4), all(4);
    for (std::size_t stage = 0; stage < 4; ++stage) {
      for (int j = 0; j < 3; ++j) {
        const auto held = static_cast<std::int64_t>(10 + random() % 30), between = static_cast<std::int64_t>(random() % 40);
        const double weight_ms = 1 + static_cast<double>(random() % 3);
        as_needed[stage].push_back(split_choice(held, between, weight_ms, Holding::AsNeeded));
        all[stage].push_back(split_choice(held, between / 2, weight_ms + 0.5, Holding::Least));
        all[stage].push_back(as_needed[stage].back());
      }
    }
    const auto limit = static_cast<std::int64_t>(100 + random() % 80);
    const auto planned = [&](const Choices& choices) {
      try {
        const StagePlan plan = plan_stages(schedule, choices, limit);
        EXPECT_TRUE(fits(schedule, choices, plan.picked, limit));
        EXPECT_LE(plan.least_step_ms, step_ms(schedule, choices, plan.picked));
        return step_ms(schedule, choices, plan.picked);
      } catch (const Failure&) {
        return std::numeric_limits<double>::infinity();
      }
    };
    const double without = planned(as_needed), with = planned(all);
    EXPECT_LE(with, without) << i;
    if (with < without) ++better;
  }
  EXPECT_GT(better, 3U);
}

TEST(PlanStages, WithTwoStagesOnARankItFitsAndTheBoundHolds) {
  std::mt19937 random(2);
  std::size_t planned = 0, best_of_them = 0;
  for (int i = 0; i < 60; ++i) {
    const Schedule schedule = make_schedule(*find_schedule(i % 2 == 0 ? "Interleaved1F1B" : "LoopedBFS"), {2, 2, 4});
    const Choices choices = random_choices(random, 4);
    const auto limit = static_cast<std::int64_t>(80 + random() % 150);
    const double best = best_of_all(schedule, choices, limit);
    if (best < 0) continue;
    const StagePlan plan = plan_stages(schedule, choices, limit);
    const double found = step_ms(schedule, choices, plan.picked);
    EXPECT_TRUE(fits(schedule, choices, plan.picked, limit));
    EXPECT_LE(plan.least_step_ms, best) << i;
    EXPECT_GE(found, best) << i;
    ++planned;
    best_of_them += found == best;
  }
  EXPECT_GT(planned, 30U);
  EXPECT_GE(best_of_them * 10, planned * 9);  // exchanges of two end elsewhere now and then
}

TEST(PlanStages, EachRankThatDoesNotFitIsNamed) {
  const Schedule schedule = make_schedule(*find_schedule("1F1B"), {2, 1, 2});
  try {
    plan_stages(schedule, Choices(2, {choice(10, 1), choice(20, 0)}), 15);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    ASSERT_EQ(failure.diagnostics().size(), 2U);
    EXPECT_EQ(failure.diagnostics()[0].message, "rank 0 needs 30 B, more than the limit of 15 B");
    EXPECT_EQ(failure.diagnostics()[1].message, "rank 1 needs 20 B, more than the limit of 15 B");
  }
}

}  // namespace
}  // namespace fxcut
