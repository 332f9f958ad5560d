// "No partition" is a value; other failures are thrown.
#include "diagnostic/attempt.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace fxcut {
namespace {

Attempt<std::string> with(ExitStatus status) {
  return attempt([&]() -> std::string {
    if (status != ExitStatus::Done) throw Failure(status, "it does not fit");
    return "made";
  });
}

TEST(Attempt, HasWhatIsMade) {
  Attempt<std::string> made = with(ExitStatus::Done);
  ASSERT_TRUE(made);
  EXPECT_EQ(*made, "made");
  EXPECT_EQ(made->size(), 4U);
  EXPECT_EQ(std::move(made).or_throw(), "made");
}

TEST(Attempt, HasTheFailureWhereThereIsNoPartition) {
  Attempt<std::string> made = with(ExitStatus::NoPartition);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.failure().diagnostics().front().message, "it does not fit");
  EXPECT_THROW(std::move(made).or_throw(), Failure);
}

TEST(Attempt, OtherFailuresAreThrown) { EXPECT_THROW((void)with(ExitStatus::BadInput), Failure); }

}  // namespace
}  // namespace fxcut
