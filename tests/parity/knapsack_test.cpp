// The knapsack solvers against PyTorch's, on the knapsacks of testdata/knapsacks.json (record_knapsacks.py made it).
#include "solve/knapsack.h"

#include <gtest/gtest.h>

#include <optional>

#include "json_graph.h"
#include "read/read_file.h"
#include "solve/budget_solvers.h"

namespace fxcut {
namespace {

Json recorded_knapsacks() { return Json::parse(read_file(FXCUT_TESTDATA "/knapsacks.json")); }

Knapsack knapsack_of(const Json& recorded) {
  return {recorded.at("memory").get<std::vector<double>>(), recorded.at("runtime").get<std::vector<double>>(),
          recorded.at("limit").get<double>()};
}

// The saved items; nullopt if the solver fails.
std::optional<std::vector<std::size_t>> saved(std::string_view solver, const Knapsack& knapsack) {
  try {
    std::vector<std::size_t> items;
    const std::vector<bool> chosen = find_row(budget_solvers(), solver).value().in(budget_solvers()).knapsack(knapsack);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (chosen[i]) items.push_back(i);
    }
    return items;
  } catch (const KnapsackFailure&) {
    return std::nullopt;
  }
}

TEST(RecordedKnapsacks, AreSolvedAsPyTorchSolvesThem) {
  std::size_t compared = 0;
  for (const Json& recorded : recorded_knapsacks()) {
    for (const auto& [solver, items] : recorded.at("saved").items()) {
      const auto by_pytorch = items.is_null() ? std::nullopt : std::optional(items.get<std::vector<std::size_t>>());
      EXPECT_EQ(saved(solver, knapsack_of(recorded)), by_pytorch) << solver << " of " << recorded;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 192U);
}

TEST(RecordedKnapsacks, AreSolvedByIlpAsWellAsByMilp) {
  for (const Json& recorded : recorded_knapsacks()) {
    const Knapsack knapsack = knapsack_of(recorded);
    const auto items = saved("ilp", knapsack);
    ASSERT_TRUE(items);
    double memory = 0, runtime = 0;
    for (const std::size_t item : *items) {
      memory += knapsack.memory[item];
      runtime += knapsack.runtime[item];
    }
    const double most = recorded.at("most_runtime").get<double>();
    EXPECT_NEAR(runtime, most, most * 1e-9) << recorded;
    EXPECT_LE(memory, knapsack.limit + 1e-9) << recorded;
  }
}

}  // namespace
}  // namespace fxcut
