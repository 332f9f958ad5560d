#include "batch/worker_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

void write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;  // the reader is gone
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Whether the program can still open its own files, for example to remove a child's leftovers: descriptors are allocated from
// the lowest, so that the last one shows their number.
bool leaves_room(int descriptor) {
  constexpr rlim_t kForTheProgram = 16;
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         static_cast<rlim_t>(descriptor) + kForTheProgram < limit.rlim_cur;
}

class Pool {
 public:
  Pool(const std::function<std::string(std::size_t)>& work, const std::function<void(const TaskOutcome&)>& done,
       const StopSignals& signals)
      : work_(work), done_(done), signals_(signals) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (const Child& child : children_) ::kill(child.pid, SIGKILL);
    while (!children_.empty()) reap(children_.size() - 1);
  }

  std::size_t running() const { return children_.size(); }

  // Starts a child for the task; returns false if that is impossible now.
  bool start(std::size_t task) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    if (!children_.empty() && !leaves_room(ends[1])) {
      for (const int end : ends) ::close(end);
      return false;
    }
    const pid_t program = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::close(ends[0]);
      for (const Child& sibling : children_) ::close(sibling.descriptor);  // descriptors may be scarce
      run_in_child(task, ends[1], program);
    }
    const int error = errno;
    ::close(ends[1]);
    if (pid < 0) {
      ::close(ends[0]);
      errno = error;
      return false;
    }
    children_.push_back({task, pid, ends[0], ""});
    return true;
  }

  // Waits for results of children, or for a signal.
  void run() {
    std::vector<pollfd> descriptors;
    for (const Child& child : children_) descriptors.push_back({child.descriptor, POLLIN, 0});
    signals_.wait(descriptors);
    for (std::size_t i = children_.size(); i-- > 0 && signals_.caught() == 0;) {
      if (descriptors[i].revents != 0 && is_at_end(children_[i])) done_(reap(i));
    }
  }

 private:
  struct Child {
    std::size_t task;
    pid_t pid;
    int descriptor;
    std::string message;
  };

  [[noreturn]] void run_in_child(std::size_t task, int descriptor, pid_t program) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != program) ::_exit(EXIT_FAILURE);  // the program has ended already
    signals_.ignore_in_child();
    try {
      write_all(descriptor, work_(task));
    } catch (...) {  // the rest of the stack is the program's
      ::_exit(EXIT_FAILURE);
    }
    ::_exit(EXIT_SUCCESS);  // without flushing the program's buffers
  }

  // Reads from the child; returns whether it has ended.
  static bool is_at_end(Child& child) {
    constexpr std::size_t kPiece = 1 << 16;
    const std::size_t before = child.message.size();
    child.message.resize(before + kPiece);
    const ssize_t got = ::read(child.descriptor, child.message.data() + before, kPiece);
    child.message.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return got == 0 || (got < 0 && errno != EINTR);
  }

  TaskOutcome reap(std::size_t position) {
    Child child = std::move(children_[position]);
    children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(position));
    ::close(child.descriptor);
    int status = 0;
    while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFSIGNALED(status)) return {child.task, std::move(child.message), 0};
    return {child.task, "", WTERMSIG(status)};
  }

  const std::function<std::string(std::size_t)>& work_;
  const std::function<void(const TaskOutcome&)>& done_;
  const StopSignals& signals_;
  std::vector<Child> children_;
};

}  // namespace

int run_tasks(std::size_t tasks, std::size_t jobs, const std::function<std::string(std::size_t)>& work,
              const std::function<void(const TaskOutcome&)>& done, const StopSignals& signals) {
  Pool pool(work, done, signals);
  std::size_t next = 0;
  while ((next < tasks || pool.running() > 0) && signals.caught() == 0) {
    while (next < tasks && pool.running() < jobs && pool.start(next)) ++next;
    if (pool.running() == 0) {
      throw Failure(ExitStatus::FileTrouble, fmt::format("cannot start a process: {}", std::strerror(errno)),
                    "are too many running?");
    }
    pool.run();
  }
  return signals.caught();
}

}  // namespace fxcut
