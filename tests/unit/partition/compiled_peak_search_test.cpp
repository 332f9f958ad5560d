// The search for a limit of the operators' peak under which compiled code keeps to a limit.
#include "partition/compiled_peak_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

Partition found_within(const MemoryLimit& limit, const DecideWithinPeak& decide, const SearchNear& near = {},
                       Spread spread = Spread::Few, const HaltRequested& halt = kNeverHalt) {
  return partition_within_compiled_peak(limit, decide, near, spread, halt).or_throw();
}

// A step whose operators take between `lowest` and 1,000 bytes, and whose code takes `code` of what they do.
struct Step {
  std::int64_t lowest = 200;
  std::function<std::int64_t(std::int64_t)> code = [](std::int64_t operators) { return operators; };
  std::vector<MemoryLimit> asked = {};

  DecideWithinPeak decide() {
    return [this](const MemoryLimit& limit) -> Attempt<Partition> {
      asked.push_back(limit);
      const std::int64_t bytes = limit.is_least ? lowest : std::min<std::int64_t>(limit.bytes, 1'000);
      if (bytes < lowest) return Failure(ExitStatus::NoPartition, "too low", "");
      Partition made;
      made.report.memory.peak_bytes = bytes;
      made.report.memory.compiled = PredictedMemoryReport{code(bytes), {"backward", "mm", "aten.mm.default", {}}, 0, 0, 0};
      made.report.peak_limit = PeakLimitFacts{0, 3, 5};
      return made;
    };
  }

  Report within(std::int64_t limit) { return found_within(limit_of_bytes(limit), decide()).report; }
};

TEST(CompiledPeakSearch, TakesADecisionThatFitsWithoutALimit) {
  Step step;
  const Report report = step.within(1'000);
  EXPECT_EQ(report.memory.compiled->peak_bytes, 1'000);
  EXPECT_EQ(step.asked.size(), 1U);
  EXPECT_EQ(report.peak_limit->bound, 5) << "nothing need be recomputed, which is the least";
}

// Decisions that no limit of the operators' peak leads to, because that is the same for all.
TEST(CompiledPeakSearch, OthersMayHaveTheLowestPeakOfAll) {
  Step step{200, [](std::int64_t) { return 900; }};
  const MakeOthers others = [] {
    std::vector<Partition> made(1);
    made.front().report.memory.peak_bytes = 200;
    made.front().report.memory.compiled = PredictedMemoryReport{700, {"backward", "mm", "aten.mm.default", {}}, 0, 0, 0};
    made.front().report.peak_limit = PeakLimitFacts{0, 1, std::nullopt};
    return made;
  };
  const auto within = [&](const MemoryLimit& limit) {
    return partition_within_compiled_peak(limit, step.decide(), {}, Spread::Few, kNeverHalt, others).or_throw().report;
  };
  EXPECT_EQ(within(least_limit()).memory.compiled->peak_bytes, 700);
  EXPECT_EQ(within(limit_of_bytes(700)).memory.compiled->peak_bytes, 700);
  EXPECT_THROW(within(limit_of_bytes(699)), Failure);
}

TEST(CompiledPeakSearch, ComesNearTheLimitAndKeepsToIt) {
  for (const auto& code : std::vector<std::function<std::int64_t(std::int64_t)>>{
           [](std::int64_t operators) { return operators / 2; }, [](std::int64_t operators) { return operators * 3 / 2; }}) {
    Step step{200, code};
    const Report report = step.within(500);
    EXPECT_LE(report.memory.compiled->peak_bytes, 500);
    EXPECT_GE(report.memory.compiled->peak_bytes, 490);
    EXPECT_LE(step.asked.size(), 5U);
    EXPECT_EQ(report.peak_limit->tried, 3 * step.asked.size());
  }
}

TEST(CompiledPeakSearch, KeepsToTheLimitWhateverTheCodeTakes) {
  Step step{200, [](std::int64_t operators) { return operators / 3 + 300; }};
  EXPECT_LE(step.within(500).memory.compiled->peak_bytes, 500);
  EXPECT_LE(step.asked.size(), 5U);
}

TEST(CompiledPeakSearch, TheBoundOfAnotherLimitIsNotThatOfThis) {
  Step step;
  EXPECT_FALSE(step.within(500).peak_limit->bound);
}

TEST(CompiledPeakSearch, ALimitThatOperatorsCannotKeepIsFollowedByTheirLowest) {
  Step step{400, [](std::int64_t operators) { return operators * operators / 800; }};  // of 1,000 bytes 1,250, of 400 200
  const Report report = step.within(390);
  EXPECT_LE(report.memory.compiled->peak_bytes, 390);
  EXPECT_TRUE(std::ranges::any_of(step.asked, [](const MemoryLimit& limit) { return limit.is_least; }));
}

TEST(CompiledPeakSearch, TheLowestOfCodeNeedNotBeThatOfOperators) {
  Step step{200, [](std::int64_t operators) { return operators < 300 ? 900 : operators; }};  // at 250 as at 200
  const Report report = found_within(least_limit(), step.decide()).report;
  EXPECT_EQ(report.memory.compiled->peak_bytes, 300);
}

TEST(CompiledPeakSearch, ALimitThatIsNotMetNamesTheLowest) {
  Step step;
  try {
    step.within(150);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::NoPartition);
    EXPECT_EQ(failure.diagnostics().front().message,
              "found no decision whose code, as predicted of inductor, has a peak of at most 150 bytes: the lowest found is 200 "
              "bytes (200 B), in the backward at 'mm'");
  }
}

// The result of a search near the rounds' decisions: code of `code` bytes at that cost of recomputing.
SearchNear ends_with(std::int64_t code, Int128 run_cost, CompiledPeakRequest* asked = nullptr) {
  return [=](const CompiledPeakRequest& request) {
    if (asked != nullptr) *asked = request;
    Partition made;
    made.report.memory.peak_bytes = 2 * code;
    made.report.memory.compiled = PredictedMemoryReport{code, {}, 0, 0, 0};
    made.report.frontier = FrontierFacts{.run_cost = run_cost};
    made.report.peak_limit = PeakLimitFacts{0, 40, {}};
    return made;
  };
}

// A step whose decisions recompute what they save less, and save one value less for each 100 bytes.
DecideWithinPeak with_costs(Step& step) {
  return [&step](const MemoryLimit& limit) -> Attempt<Partition> {
    Attempt<Partition> made = step.decide()(limit);
    if (!made) return made;
    const auto bytes = static_cast<std::int64_t>(made->report.memory.peak_bytes);
    made->report.frontier = FrontierFacts{.run_cost = 1'000 - bytes};
    for (std::int64_t i = 0; i < bytes / 100; ++i) {
      SavedValue value;
      value.name = "saved_" + std::to_string(i);
      made->report.saved_values.push_back(value);
    }
    return made;
  };
}

TEST(CompiledPeakSearch, ASearchNearIsFollowedWhereItRecomputesLess) {
  Step step;
  const Report better = found_within(limit_of_bytes(500), with_costs(step), ends_with(450, 3)).report;
  EXPECT_EQ(better.frontier->run_cost, 3);
  EXPECT_EQ(better.peak_limit->tried, 3 * step.asked.size() + 40) << "all decisions count";
  const Report dearer = found_within(limit_of_bytes(500), with_costs(step), ends_with(499, 800)).report;
  EXPECT_LT(dearer.frontier->run_cost, 520);
  const Report too_large = found_within(limit_of_bytes(500), with_costs(step), ends_with(501, 3)).report;
  EXPECT_LE(too_large.memory.compiled->peak_bytes, 500) << "what finishing adds may take it above the limit";
}

TEST(CompiledPeakSearch, ASearchNearBeginsWithAllThatWasDecided) {
  Step step;
  CompiledPeakRequest asked;
  found_within(limit_of_bytes(500), with_costs(step), ends_with(450, 3, &asked));
  EXPECT_EQ(asked.limit.bytes, 500);
  ASSERT_GE(asked.starts.size(), 2U);
  EXPECT_TRUE(asked.starts.front().whole.contains("saved_3")) << "what fits comes first";
  EXPECT_EQ(asked.starts.back().whole.size(), 10U) << "and last what takes most";
}

TEST(CompiledPeakSearch, ASpreadBeginsFromMoreDecisionsEachOnce) {
  Step few, many;
  CompiledPeakRequest asked_of_few, asked_of_many;
  const MemoryLimit limit = limit_of_bytes(500);
  found_within(limit, with_costs(few), ends_with(450, 3, &asked_of_few));
  found_within(limit, with_costs(many), ends_with(450, 3, &asked_of_many), Spread::Many);
  EXPECT_GT(asked_of_many.starts.size(), asked_of_few.starts.size());
  EXPECT_EQ(many.asked.size(), few.asked.size() + 8) << "the lowest peak and seven limits above";
  EXPECT_EQ(std::ranges::count(many.asked, std::numeric_limits<std::int64_t>::max(), &MemoryLimit::bytes), 1);
}

TEST(CompiledPeakSearch, ASpreadAsksForTheLowestPeakOnceWhereALimitIsUnmet) {
  Step step{400, [](std::int64_t operators) { return operators * operators / 800; }};
  found_within(limit_of_bytes(390), step.decide(), {}, Spread::Many);
  EXPECT_EQ(std::ranges::count_if(step.asked, &MemoryLimit::is_least), 1);
}

TEST(CompiledPeakSearch, NoSpreadIsNeededWhereWhatRecomputesLeastFits) {
  Step step;
  found_within(limit_of_bytes(1'000), step.decide(), {}, Spread::Many);
  EXPECT_EQ(step.asked.size(), 1U);
}

TEST(CompiledPeakSearch, ASpreadEndsWithTheTime) {
  Step few, halted;
  const MemoryLimit limit = limit_of_bytes(500);
  found_within(limit, few.decide());
  const HaltRequested time_is_up = [] { return Halt::TimeIsUp; };
  const Report report = found_within(limit, halted.decide(), {}, Spread::Many, time_is_up).report;
  EXPECT_EQ(halted.asked.size(), few.asked.size() + 1) << "the lowest peak";
  EXPECT_LE(report.memory.compiled->peak_bytes, 500) << "what fits is still looked for";
}

TEST(CompiledPeakSearch, ASecondSearchAllowsForWhatFinishingAdds) {
  Step step;
  std::vector<std::int64_t> limits;
  const SearchNear adds_20 = [&](const CompiledPeakRequest& request) {
    limits.push_back(request.limit.bytes);
    return ends_with(request.limit.bytes + 20, 3)(request);
  };
  const Report report = found_within(limit_of_bytes(500), with_costs(step), adds_20).report;
  EXPECT_EQ(limits, (std::vector<std::int64_t>{500, 480}));
  EXPECT_EQ(report.memory.compiled->peak_bytes, 500);
  EXPECT_EQ(report.frontier->run_cost, 3);
}

TEST(CompiledPeakSearch, DoesNotSearchIfTheCheapestDecisionFits) {
  Step step;
  const SearchNear never = [](const CompiledPeakRequest&) -> Partition { throw InternalError("asked for"); };
  EXPECT_EQ(found_within(limit_of_bytes(1'000), with_costs(step), never).report.frontier->run_cost, 0);
}

TEST(CompiledPeakSearch, TakesTheSearchNearIfNothingElseFits) {
  Step step{400};
  const Report report = found_within(limit_of_bytes(300), with_costs(step), ends_with(290, 900)).report;
  EXPECT_EQ(report.memory.compiled->peak_bytes, 290);
  const MemoryLimit least = least_limit();
  EXPECT_EQ(found_within(least, with_costs(step), ends_with(390, 900)).report.memory.compiled->peak_bytes, 390);
}

TEST(CompiledPeakSearch, ForTheLowestASecondSearchIsWithinThePeakOfTheFirst) {
  Step step;
  std::vector<CompiledPeakRequest> asked;
  const SearchNear ever_lower = [&](const CompiledPeakRequest& request) {
    asked.push_back(request);
    return ends_with(request.known_peak ? *request.known_peak - 7 : 137, 3)(request);
  };
  const Report report = found_within(least_limit(), with_costs(step), ever_lower).report;
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_FALSE(asked[0].known_peak);
  EXPECT_EQ(asked[1].known_peak, 137);
  EXPECT_TRUE(asked[1].limit.is_least);
  EXPECT_EQ(report.memory.compiled->peak_bytes, 130);
}

TEST(CompiledPeakSearch, ALowestPeakThatIsProvenIsNotSearchedForAgain) {
  Step step;
  int searches = 0;
  const SearchNear proves = [&](const CompiledPeakRequest& request) {
    ++searches;
    Partition made = *ends_with(90, 3)(request);
    made.report.peak_limit->limit_bytes = 90;
    made.report.peak_limit->floor_bytes = 90;
    return made;
  };
  EXPECT_EQ(found_within(least_limit(), with_costs(step), proves).report.memory.compiled->peak_bytes, 90);
  EXPECT_EQ(searches, 1);
}

}  // namespace
}  // namespace fxcut
