// The report for people.
#pragma once

#include <string>

#include "report/report.h"

namespace fxcut {

// Totals, then the saved values, largest first. Plain text; lines end in newlines.
std::string report_table(const Report& report);

}  // namespace fxcut
