// Signals that stop: they come where they are waited for, and end a wait for a reader.
#include "batch/stop_signals.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <iterator>
#include <string>

namespace fxcut {
namespace {

// A pipe, and what has been written to it and is not read.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(::pipe2(ends_, O_CLOEXEC), 0); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends_) ::close(end);
  }
  int writing_end() const { return ends_[1]; }
  std::string read(std::size_t bytes) const {
    std::string text(bytes, '\0');
    const ssize_t got = ::read(ends_[0], text.data(), bytes);
    text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
    return text;
  }

 private:
  int ends_[2];
};

// The signals of a program started in the foreground: a shell's "&" and nohup leave some ignored.
class InForeground {
 public:
  InForeground() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) before_[i] = std::signal(kSignals[i], SIG_DFL);
  }
  InForeground(const InForeground&) = delete;
  InForeground& operator=(const InForeground&) = delete;
  ~InForeground() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) std::signal(kSignals[i], before_[i]);
  }

 private:
  static constexpr int kSignals[] = {SIGHUP, SIGINT, SIGTERM};
  void (*before_[std::size(kSignals)])(int);
};

const std::string kTooMuch(10'000'000, 'x');

TEST(StopSignals, AreNotedOnce) {
  const InForeground foreground;
  {
    const StopSignals signals;
    EXPECT_EQ(signals.caught(), 0);
    std::raise(SIGHUP);
    EXPECT_EQ(signals.caught(), SIGHUP);
  }
  const StopSignals signals;
  EXPECT_EQ(signals.caught(), 0) << "that was another's";
}

TEST(StopSignals, LeaveThoseAloneThatAreIgnored) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const StopSignals signals;
    std::raise(SIGHUP);
    EXPECT_EQ(signals.caught(), 0) << "the program is to run on, as nohup asks for";
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

TEST(StopSignals, EndAWaitForAReader) {
  const InForeground foreground;
  const StopSignals signals;
  const Pipe pipe;
  const pid_t here = ::getpid();
  if (::fork() == 0) {
    ::usleep(50'000);
    ::kill(here, SIGTERM);
    ::_exit(0);
  }
  EXPECT_FALSE(signals.write(pipe.writing_end(), kTooMuch));
  EXPECT_EQ(signals.caught(), SIGTERM);
  ::wait(nullptr);
}

TEST(StopSignals, LetThroughWhatIsTakenAtOnce) {
  const InForeground foreground;
  const StopSignals signals;
  const Pipe pipe;
  std::raise(SIGINT);
  EXPECT_TRUE(signals.write(pipe.writing_end(), "stopped"));
  EXPECT_EQ(pipe.read(100), "stopped");
  EXPECT_FALSE(signals.write(pipe.writing_end(), kTooMuch));
}

TEST(StopSignals, AWriteThatFailsSaysSo) {
  const StopSignals signals;
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  EXPECT_FALSE(signals.write(full, "text"));
  EXPECT_EQ(signals.caught(), 0);
  ::close(full);
}

}  // namespace
}  // namespace fxcut
