// Defers SIGHUP, SIGINT and SIGTERM while files are put in place, so that either all or none of them exist at the end.
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
