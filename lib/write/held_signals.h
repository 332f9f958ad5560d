// Keeps SIGHUP, SIGINT and SIGTERM waiting while files are put in place, so that they come when all of it is there or
// nothing is.
#pragma once

#include <csignal>

namespace fxcut {

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
