// Warns of an answer that hangs on when a search was ended.
#pragma once

#include "report/report.h"

namespace fxcut {

// Adds to `warnings` where the frontier solver's search was cut short by the clock or by the user. Else nothing.
void describe_search(Report& report);

}  // namespace fxcut
