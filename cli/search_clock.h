// What ends a search before it would end by itself: the settings' time limit, and ^C.
#pragma once

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>

#include "cli/narration.h"
#include "frontier/effort.h"
#include "settings/settings.h"

namespace fxcut {

// While it lives, SIGINT is noted, for the search to end with the best that it has; a second one does what it did
// before. Where it is ignored it remains so. There can be one at a time.
class NotedInterrupt {
 public:
  NotedInterrupt();
  NotedInterrupt(const NotedInterrupt&) = delete;
  NotedInterrupt& operator=(const NotedInterrupt&) = delete;
  ~NotedInterrupt();

  bool came() const;

 private:
  bool is_noted_ = false;
};

// From now on, whether the settings' time limit is over. Shows on a terminal how far it is.
HaltAsked start_clock(const Settings& settings, std::ostream& err);

// The same, and whether the user interrupts, where the settings ask for a search.
HaltAsked start_clock_and_note_interrupts(const Settings& settings, std::ostream& err);

}  // namespace fxcut
