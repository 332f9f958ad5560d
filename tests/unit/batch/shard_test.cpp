// A batch in parts.
#include "batch/shard_files.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

using Variables = std::map<std::string, std::string>;

Environment environment_of(const Variables& variables) {
  return [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

std::string shard_of(const std::string& text, const Variables& variables = {}) {
  try {
    return parse_shard(text, environment_of(variables)).name();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::Usage);
    return failure.diagnostics().front().message;
  }
}

Variables array_task(int id, int first, int last, int count) {
  return {{"SLURM_ARRAY_TASK_ID", std::to_string(id)},
          {"SLURM_ARRAY_TASK_MIN", std::to_string(first)},
          {"SLURM_ARRAY_TASK_MAX", std::to_string(last)},
          {"SLURM_ARRAY_TASK_COUNT", std::to_string(count)}};
}

TEST(Shard, IsAPartOfANumberOfParts) {
  EXPECT_EQ(shard_of("0/1"), "0-of-1");
  EXPECT_EQ(shard_of("7/8"), "7-of-8");
  EXPECT_EQ(shard_of("8/8"), "--shard 8/8: no part 8 of 8");
  for (const char* const text : {"", "3", "/", "3/", "/8", "3/0", "-1/8", "3/8/2", "a/8", "automatic", "auto/",
                               "auto/0"}) {
    EXPECT_EQ(shard_of(text), "--shard '" + std::string(text) + "'");
  }
}

TEST(Shard, IsTheTaskOfASlurmArrayWhateverItsNumbers) {
  EXPECT_EQ(shard_of("auto", array_task(3, 0, 7, 8)), "3-of-8");
  EXPECT_EQ(shard_of("auto", array_task(1, 1, 8, 8)), "0-of-8");
  EXPECT_EQ(shard_of("auto", array_task(18, 10, 18, 5)), "4-of-5");
  EXPECT_EQ(shard_of("auto", array_task(4, 4, 4, 1)), "0-of-1");
  EXPECT_EQ(shard_of("auto", array_task(5, 1, 9, 4)), "--shard auto: the tasks of the array are not evenly numbered");
  EXPECT_EQ(shard_of("auto", array_task(2, 1, 5, 3)), "--shard auto: the tasks of the array are not evenly numbered");
}

TEST(Shard, TakesTheTasksNumberAsItIsWhereTheNumberOfPartsIsGiven) {
  EXPECT_EQ(shard_of("auto/8", {{"JOB_COMPLETION_INDEX", "5"}}), "5-of-8");
  EXPECT_EQ(shard_of("auto/8", array_task(3, 3, 5, 2)), "3-of-8") << "two tasks are run again";
  EXPECT_EQ(shard_of("auto/4", {{"JOB_COMPLETION_INDEX", "4"}}),
            "--shard auto/4: JOB_COMPLETION_INDEX is 4: no part 4 of 4");
}

TEST(Shard, SaysWhatTheEnvironmentLacks) {
  EXPECT_EQ(shard_of("auto"), "--shard auto: SLURM_ARRAY_TASK_ID is not set");
  EXPECT_EQ(shard_of("auto", {{"SLURM_ARRAY_TASK_ID", "1"}}), "--shard auto: SLURM_ARRAY_TASK_COUNT is not set");
  EXPECT_EQ(shard_of("auto", {{"SLURM_ARRAY_TASK_ID", "one"}}),
            "--shard auto: SLURM_ARRAY_TASK_ID is 'one', which is not a number");
  EXPECT_EQ(shard_of("auto/8"), "--shard auto/8: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set");
}

std::vector<std::vector<std::size_t>> all_shards(std::size_t count, const std::vector<std::uintmax_t>& sizes) {
  std::vector<std::vector<std::size_t>> shards;
  for (std::size_t index = 0; index < count; ++index) shards.push_back(items_of({index, count}, sizes));
  return shards;
}

TEST(Shards, GiveTheLargestToWhoHasLeast) {
  const std::vector<std::vector<std::size_t>> expected = {{1}, {3, 5}, {0, 2, 4}};
  EXPECT_EQ(all_shards(3, {30, 90, 40, 80, 10, 5}), expected);
}

TEST(Shards, TakeEachItemOnceAndInOrder) {
  std::vector<std::uintmax_t> sizes;
  for (std::uintmax_t i = 0; i < 1000; ++i) sizes.push_back(i * i * 7919 % 10007);
  const std::uintmax_t total = std::accumulate(sizes.begin(), sizes.end(), std::uintmax_t{0});
  std::vector<int> taken(sizes.size());
  for (const auto& shard : all_shards(8, sizes)) {
    EXPECT_TRUE(std::is_sorted(shard.begin(), shard.end()));
    std::uintmax_t load = 0;
    for (const std::size_t item : shard) {
      ++taken[item];
      load += sizes[item];
    }
    EXPECT_NEAR(static_cast<double>(load), static_cast<double>(total) / 8, static_cast<double>(total) / 800);
  }
  EXPECT_EQ(taken, std::vector<int>(sizes.size(), 1));
}

TEST(Shards, MayBeMoreThanThereIsToDo) {
  const std::vector<std::vector<std::size_t>> expected = {{0}, {1}, {}};
  EXPECT_EQ(all_shards(3, {0, 0}), expected);
  EXPECT_TRUE(items_of({999'999'999, 1'000'000'000}, {1, 2}).empty());
}

}  // namespace
}  // namespace fxcut
