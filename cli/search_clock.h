// Early ends of a search: the settings' time limit, and ^C.
#pragma once

#include <iosfwd>

#include "frontier/work_budget.h"
#include "settings/settings.h"

namespace fxcut {

// Whether the settings' time limit, counted from now, has expired. Shows the progress on a terminal.
HaltRequested start_clock(const Settings& settings, std::ostream& err);

// The same, or the user interrupts, if the settings select a search. Only one at a time.
HaltRequested start_clock_and_note_interrupts(const Settings& settings, std::ostream& err);

}  // namespace fxcut
