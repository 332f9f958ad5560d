// SIGHUP, SIGINT and SIGTERM while there is something to clean up: interrupted work ends normally.
//
// While a StopSignals exists they are only noted, and only during its waits, so that none is lost between a check and a wait.
// Work checks between its steps. A signal after the last check has its former effect once the object is destroyed.
#pragma once

#include <poll.h>

#include <csignal>
#include <cstddef>
#include <string_view>
#include <vector>

namespace fxcut {

class StopSignals {
 public:
  StopSignals();  // there can be one at a time
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

  // The signal that came, or 0.
  int caught() const;

  // Waits until one of the descriptors is ready, or a signal comes.
  void wait(std::vector<pollfd>& descriptors) const;

  // Writes the text and returns whether all of it was written. A signal ends the waiting for a reader; from then on only what
  // can be written at once is.
  bool write(int descriptor, std::string_view text) const;

  // In a child: the terminal signals all processes, but only the program stops its children.
  void ignore_in_child() const;

 private:
  static constexpr std::size_t kCount = 3;
  static constexpr int kStops[kCount] = {SIGHUP, SIGINT, SIGTERM};

  struct sigaction actions_before_[kCount];
  sigset_t stops_, mask_before_, waiting_mask_;
};

}  // namespace fxcut
