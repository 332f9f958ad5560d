// Work in processes of its own, a task each and some at a time: what ends one, a crash, too much memory or a limit,
// ends no other.
//
// A task runs in a child that fork makes, so that it sees all that the program has read so far. What it returns comes
// back through a pipe. The children end with the program, however that ends; and signals that stop go to the program
// alone, which stops them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "batch/stop_signals.h"

namespace fxcut {

// What came of a task.
struct TaskOutcome {
  std::size_t task = 0;
  std::string message;   // what it returned; nothing where a signal or an exception ended it
  int signal = 0;        // that ended it, or 0
};

// Runs the tasks 0 to `tasks` - 1, `jobs` at a time (1 or more), and calls `done` for each as it finishes. `work` is
// called in the child; what it throws ends that, without a message. Returns 0, or the signal that stopped the work: then
// the children that still ran are gone, and their tasks are not done. So they are where `done` throws. The program must
// have one thread. Throws Failure (FileTrouble) where no process can be started.
int run_tasks(std::size_t tasks, std::size_t jobs, const std::function<std::string(std::size_t)>& work,
              const std::function<void(const TaskOutcome&)>& done, const StopSignals& signals);

}  // namespace fxcut
