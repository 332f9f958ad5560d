// The output directory of a batch contains nothing incomplete.
#include "batch/output_tree.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <iostream>
#include <thread>

#include "diagnostic/diagnostic.h"
#include "temporary_directory.h"

namespace fxcut {
namespace {

class OutputTrees : public TemporaryDirectory {};

TEST_F(OutputTrees, PutGraphsAndFilesInPlace) {
  {
    const OutputTree tree(directory_ / "out", "0-of-1", true);
    tree.put_graph("a", {{"forward.json", "f"}, {"result.json", "r"}});
    tree.put_graph("b/c", {{"result.json", "r"}});
    tree.put_file("summary.json", "s");
    tree.put_file("shards/0-of-2.jsonl", "l");
  }
  EXPECT_EQ(files(), "out/graphs/a/forward.json out/graphs/a/result.json out/graphs/b/c/result.json "
                     "out/shards/0-of-2.jsonl out/summary.json");
}

TEST_F(OutputTrees, ReplaceAGraphAsAWhole) {
  {
    const OutputTree tree(directory_, "0-of-1", true);
    tree.put_graph("a", {{"old.json", "o"}});
    tree.put_graph("a", {{"new.json", "n"}});
  }
  EXPECT_EQ(files(), "graphs/a/new.json");
}

TEST_F(OutputTrees, DropAGraphAndTheDirectoriesThatItWasAloneIn) {
  {
    const OutputTree tree(directory_, "0-of-1", true);
    for (const char* const name : {"a/b/c", "a/d"}) tree.put_graph(name, {{"result.json", "r"}});
    tree.drop_graph("a/b/c");
    tree.drop_graph("never/there");
    EXPECT_EQ(files(), "graphs/a/d/result.json unfinished/0-of-1/");
    tree.drop_graph("a/d");
  }
  EXPECT_EQ(files(), "");
}

TEST_F(OutputTrees, RemoveWhatAKilledRunHasLeft) {
  put("unfinished/0-of-1/123/forward.json", "half");
  put("unfinished/3-of-8/123/forward.json", "half");
  { const OutputTree tree(directory_, "0-of-8", false); }
  EXPECT_EQ(files(), "unfinished/0-of-1/123/forward.json unfinished/3-of-8/123/forward.json");
  { const OutputTree tree(directory_, "0-of-1", true); }
  EXPECT_EQ(files(), "");
}

TEST_F(OutputTrees, LeaveRunsAloneThatAreAtWork) {
  const OutputTree shard(directory_, "3-of-8", false);
  put("unfinished/3-of-8/123/forward.json", "half");
  { const OutputTree tree(directory_, "0-of-1", true); }
  EXPECT_EQ(files(), "unfinished/3-of-8/123/forward.json");
}

TEST_F(OutputTrees, KeepASecondRunOfThatNameOut) {
  const OutputTree tree(directory_, "0-of-1", true);
  try {
    const OutputTree second(directory_, "0-of-1", true);
    FAIL() << "two at work on the same";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), ExitStatus::FileTrouble);
    EXPECT_NE(std::string(failure.what()).find("another fxcut batch is using this directory"), std::string::npos);
  }
}

// Runs it in `processes` processes at once; returns how many failed.
int failures_of(int processes, const std::function<void()>& run) {
  for (int i = 0; i < processes; ++i) {
    if (::fork() != 0) continue;
    try {
      run();
    } catch (const Failure& failure) {
      std::cerr << failure.what() << "\n";
      ::_exit(1);
    }
    ::_exit(0);
  }
  int failures = 0, status = 0;
  while (::wait(&status) > 0) failures += status != 0;
  return failures;
}

TEST_F(OutputTrees, WaitForARunOfThatNameThatIsAboutToEnd) {
  const auto run = [this] {
    const OutputTree tree(directory_ / "out", "0-of-1", true);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    tree.put_file("summary.json", "s");
  };
  EXPECT_EQ(failures_of(2, run), 0);
  EXPECT_EQ(files(), "out/summary.json");
}

TEST_F(OutputTrees, AreNotTakenFromUnderRunsThatBeginWhileOthersEnd) {
  const auto runs = [this] {
    const std::string own = std::to_string(::getpid());
    for (int i = 0; i < 300; ++i) OutputTree(directory_ / "out", own, i % 2 == 0).put_file(own, "s");
  };
  EXPECT_EQ(failures_of(3, runs), 0);
}

TEST_F(OutputTrees, TakeBackADirectoryThatNothingCameOf) {
  { const OutputTree tree(directory_ / "out", "0-of-1", true); }
  EXPECT_EQ(files(), "");
}

TEST_F(OutputTrees, SayWhatIsInTheWay) {
  put("out", "a file");
  try {
    const OutputTree tree(directory_ / "out", "0-of-1", true);
    FAIL() << "a file was made a directory";
  } catch (const Failure& failure) {
    EXPECT_NE(std::string(failure.what()).find("cannot be created as a directory: Not a directory"), std::string::npos)
        << failure.what();
  }
}

}  // namespace
}  // namespace fxcut
