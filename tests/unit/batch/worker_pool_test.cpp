// Work in processes of its own.
#include "batch/worker_pool.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <vector>

namespace fxcut {
namespace {

struct Ran {
  int stopped_by = 0;
  std::map<std::size_t, TaskOutcome> outcomes;
};

Ran run(std::size_t tasks, std::size_t jobs, const std::function<std::string(std::size_t)>& work) {
  Ran ran;
  ran.stopped_by = run_tasks(tasks, jobs, work, [&](const TaskOutcome& outcome) {
    EXPECT_TRUE(ran.outcomes.emplace(outcome.task, outcome).second) << "twice";
  }, StopSignals());
  return ran;
}

TEST(WorkerPool, RunsEachTaskOnce) {
  for (const std::size_t jobs : {1U, 3U, 50U}) {
    const Ran ran = run(20, jobs, [](std::size_t task) { return std::to_string(task); });
    EXPECT_EQ(ran.stopped_by, 0);
    ASSERT_EQ(ran.outcomes.size(), 20);
    for (const auto& [task, outcome] : ran.outcomes) EXPECT_EQ(outcome.message, std::to_string(task));
  }
}

TEST(WorkerPool, WorksInProcessesOfItsOwn) {
  const pid_t here = ::getpid();
  const Ran ran = run(1, 1, [&](std::size_t) { return ::getpid() == here ? "here" : "elsewhere"; });
  EXPECT_EQ(ran.outcomes.at(0).message, "elsewhere");
}

TEST(WorkerPool, TakesLongMessages) {
  const Ran ran = run(3, 3, [](std::size_t task) { return std::string(1'000'000 + task, 'x'); });
  for (const auto& [task, outcome] : ran.outcomes) EXPECT_EQ(outcome.message.size(), 1'000'000 + task);
}

TEST(WorkerPool, ATaskThatASignalEndsEndsNoOther) {
  const Ran ran = run(5, 2, [](std::size_t task) {
    if (task == 2) std::raise(SIGKILL);
    return std::string("done");
  });
  ASSERT_EQ(ran.outcomes.size(), 5);
  EXPECT_EQ(ran.outcomes.at(2).signal, SIGKILL);
  EXPECT_EQ(ran.outcomes.at(2).message, "");
  for (const std::size_t task : {0U, 1U, 3U, 4U}) EXPECT_EQ(ran.outcomes.at(task).message, "done");
}

TEST(WorkerPool, ATaskThatThrowsEndsItsProcessAndNoOther) {
  const Ran ran = run(3, 1, [](std::size_t task) {
    if (task == 1) throw std::bad_alloc();
    return std::string("done");
  });
  ASSERT_EQ(ran.outcomes.size(), 3);
  EXPECT_EQ(ran.outcomes.at(1).signal, 0);
  EXPECT_EQ(ran.outcomes.at(1).message, "");
  EXPECT_EQ(ran.outcomes.at(2).message, "done");
}

TEST(WorkerPool, IsStoppedByASignalAndItsTasksWithIt) {
  const pid_t here = ::getpid();
  const Ran ran = run(9, 3, [&](std::size_t task) {
    if (task == 0) return std::string("done");
    if (task == 1) ::kill(here, SIGTERM);  // a second one would come when nothing waits for it any more
    ::sleep(60);
    return std::string("too late");
  });
  EXPECT_EQ(ran.stopped_by, SIGTERM);
  EXPECT_LE(ran.outcomes.size(), 1) << "those that ran are not done";
}

// While it exists, at most that many descriptors can be open.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t count) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{count, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

bool can_open(std::size_t files) {
  std::vector<int> opened;
  while (opened.size() < files) {
    const int file = ::open("/dev/null", O_RDONLY);
    if (file < 0) break;
    opened.push_back(file);
  }
  for (const int file : opened) ::close(file);
  return opened.size() == files;
}

TEST(WorkerPool, LeavesDescriptorsToTheTasksAndToTheProgram) {
  const FewDescriptors few(64);
  std::size_t done = 0, starved = 0;
  const auto work = [](std::size_t) -> std::string { return can_open(40) ? "done" : "starved"; };
  run_tasks(200, 1000, work, [&](const TaskOutcome& outcome) {
    (outcome.message == "done" && can_open(10) ? done : starved) += 1;
  }, StopSignals());
  EXPECT_EQ(done, 200);
  EXPECT_EQ(starved, 0);
}

TEST(WorkerPool, HasNothingToDoWithoutTasks) {
  const Ran ran = run(0, 4, [](std::size_t) -> std::string { std::abort(); });
  EXPECT_EQ(ran.stopped_by, 0);
  EXPECT_TRUE(ran.outcomes.empty());
}

}  // namespace
}  // namespace fxcut
