// SIGHUP, SIGINT and SIGTERM while there is something to clean up: work that they stop ends as it would by itself.
//
// While a StopSignals lives they are noted and do nothing else, and come only where they are waited for: between
// looking whether one came and going to sleep none gets lost. Whoever works looks between its steps. One that comes
// after the last look does, once this is gone, what it did before.
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

  // Sleeps until one of the descriptors has something, or a signal comes.
  void wait(std::vector<pollfd>& descriptors) const;

  // Writes the text and returns whether all of it went. A signal ends the waiting for a reader; what is written from
  // then on goes as far as it is taken at once.
  bool write(int descriptor, std::string_view text) const;

  // In a child: the terminal sends them to all processes alike, but what becomes of a child is for the program to say.
  void ignore_in_child() const;

 private:
  static constexpr std::size_t kCount = 3;
  static constexpr int kStops[kCount] = {SIGHUP, SIGINT, SIGTERM};

  struct sigaction actions_before_[kCount];
  sigset_t stops_, mask_before_, waiting_mask_;
};

}  // namespace fxcut
