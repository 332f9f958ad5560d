#include "peak/saving_most.h"

#include <cstdint>

#include "frontier/budget_search.h"

namespace fxcut {
namespace {

constexpr int kLimitsTried = 6;
constexpr std::int64_t kMaxStepsForEach = 15'000'000;  // of work in each: some hundredths of a second of a core of 2023
constexpr Int128 kNearEnough = 256;                    // this part of the limit is near enough

}  // namespace

ChoicesSavingMost saving_most(const RecomputeProblem& problem, Int128 limit_bytes, Int128 enough, const HaltRequested& halt,
                              const std::function<Int128(const KeptStorages&)>& peak_of) {
  ChoicesSavingMost found;
  auto bytes = static_cast<std::int64_t>(limit_bytes);
  for (int round = 0; round < kLimitsTried && bytes > 0; ++round) {
    const BudgetAnswer answer = search_within(problem, bytes, {.most_steps = kMaxStepsForEach, .halt = halt});
    found.steps += answer.steps;
    if (!answer.choice || answer.choice->run_cost >= enough) break;
    found.choices.push_back(answer.choice->kept);
    const Int128 room = limit_bytes - peak_of(answer.choice->kept);
    if (room >= 0 && room * kNearEnough < limit_bytes) break;
    bytes += static_cast<std::int64_t>(room > 0 ? room / 2 : room);
  }
  return found;
}

}  // namespace fxcut
