#include "frontier/lagrangian_bound.h"

#include <gtest/gtest.h>

namespace fxcut {
namespace {

TEST(TimesAsDear, GrowsNoLargerThanTheProblemHoweverOften) {
  RecomputeProblem problem;
  problem.items.resize(2);
  problem.items[0].run_cost = Int128{1} << 50;
  problem.storages = {{0, 0}, {std::int64_t{1} << 40, 1}};
  const Int128 most_run_cost = least_bytes(problem).run_cost, most_bytes = least_recomputing(problem).bytes;
  for (const bool is_dearer : {true, false}) {
    Price price{12345677, 8901233};
    double expected = price.per_byte();
    for (int step = 0; step < 12; ++step) {
      price = is_dearer ? relative_price(problem, price, 9, 8) : relative_price(problem, price, 8, 9);
      expected *= is_dearer ? 9.0 / 8 : 8.0 / 9;
    }
    EXPECT_NEAR(price.per_byte() / expected, 1, 1e-6);
    for (int step = 0; step < 1000; ++step) {
      price = is_dearer ? relative_price(problem, price, 9, 8) : relative_price(problem, price, 8, 9);
      ASSERT_TRUE(price.run_cost >= 1 && price.run_cost <= most_run_cost);
      ASSERT_TRUE(price.bytes >= 1 && price.bytes <= most_bytes);
    }
  }
}

}  // namespace
}  // namespace fxcut
