// Two computations at once, on one thread and on two; and that only the first thread takes signals.
#include "system/threads.h"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>

namespace fxcut {
namespace {

class AtOnce : public testing::TestWithParam<std::size_t> {};

std::string failure_of(std::size_t nodes, bool first_fails, bool second_fails) {
  const auto run = [](bool fails, const char* who) {
    if (fails) throw std::runtime_error(who);
    return 0;
  };
  try {
    at_once(nodes, [&] { return run(first_fails, "first"); }, [&] { return run(second_fails, "second"); });
    return "none";
  } catch (const std::runtime_error& failure) {
    return failure.what();
  }
}

TEST_P(AtOnce, BothAreReturned) {
  const auto [text, number] = at_once(GetParam(), [] { return std::string("first"); }, [] { return 2; });
  EXPECT_EQ(text, "first");
  EXPECT_EQ(number, 2);
}

TEST_P(AtOnce, ThrowsTheFirstOfTwoFailures) {
  EXPECT_EQ(failure_of(GetParam(), false, false), "none");
  EXPECT_EQ(failure_of(GetParam(), true, false), "first");
  EXPECT_EQ(failure_of(GetParam(), false, true), "second");
  EXPECT_EQ(failure_of(GetParam(), true, true), "first");
}

INSTANTIATE_TEST_SUITE_P(Nodes, AtOnce, testing::Values(0, kNodesWorthAThread));

TEST(AtOnceThreads, OnlyALargeGraphTakesASecondOne) {
  const auto [small, here] = at_once(0, std::this_thread::get_id, std::this_thread::get_id);
  EXPECT_EQ(small, here);
  const auto [large, there] = at_once(kNodesWorthAThread, std::this_thread::get_id, std::this_thread::get_id);
  EXPECT_NE(large, there);
}

bool holds(int signal) {
  sigset_t held;
  pthread_sigmask(SIG_SETMASK, nullptr, &held);
  return sigismember(&held, signal) == 1;
}

TEST(AtOnceThreads, OnlyThisOneCanBeInterrupted) {
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    const auto [there, here] = at_once(kNodesWorthAThread, [=] { return holds(signal); }, [=] { return holds(signal); });
    EXPECT_TRUE(there) << signal;
    EXPECT_FALSE(here) << signal;
  }
}

}  // namespace
}  // namespace fxcut
