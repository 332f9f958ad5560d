// What ends a search before it would end by itself: the settings' time limit, and ^C.
#pragma once

#include <iosfwd>

#include "frontier/effort.h"
#include "settings/settings.h"

namespace fxcut {

// From now on, whether the settings' time limit is over. Shows on a terminal how far it is.
HaltRequested start_clock(const Settings& settings, std::ostream& err);

// The same, and whether the user interrupts, where the settings ask for a search. There can be one of these at a time.
HaltRequested start_clock_and_note_interrupts(const Settings& settings, std::ostream& err);

}  // namespace fxcut
