// Defers SIGHUP, SIGINT and SIGTERM on a thread and those that it starts: while files are put in place, so that either all or
// none of them exist at the end. A signal to the program goes to any thread that does not defer it, so all threads have to.
#pragma once

#include <csignal>

namespace fxcut {

// Whether one of the deferred signals is pending and would end the program (nohup ignores SIGHUP).
bool is_signal_waiting();

class HeldSignals {
 public:
  HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals();

 private:
  sigset_t before_;
};

}  // namespace fxcut
