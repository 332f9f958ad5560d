// Tasks in processes of their own, some at a time: a crash, a lack of memory or a limit ends only one.
//
// A task runs in a forked child, with everything that the program has read so far, and returns its result through a pipe. The
// children end with the program in any case; stop signals reach only the program, which stops its children.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "batch/stop_signals.h"

namespace fxcut {

// The outcome of a task.
struct TaskOutcome {
  std::size_t task = 0;
  std::string message;   // its result; empty if a signal or an exception ended it
  int signal = 0;        // that ended it, or 0
};

// Runs the tasks 0 to `tasks` - 1, `jobs` at a time (1 or more), and calls `done` for each as it finishes. `work` is called in
// the child; an exception ends that without a message. Returns 0, or the signal that stopped the work: then, as if `done`
// throws, the running children are killed, and their tasks are not done. The program must have one thread. Throws Failure
// (FileTrouble) if no process can be started.
int run_tasks(std::size_t tasks, std::size_t jobs, const std::function<std::string(std::size_t)>& work,
              const std::function<void(const TaskOutcome&)>& done, const StopSignals& signals);

}  // namespace fxcut
