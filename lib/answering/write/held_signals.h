// Keeps SIGHUP, SIGINT and SIGTERM waiting while files are put in place, so that they come when all of it is there or
// nothing is.
#pragma once

#include <csignal>

namespace fxcut {

// Whether one of them, held from coming, is there, and would end the program (nohup has SIGHUP ignored).
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
