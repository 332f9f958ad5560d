// What is saved, for spreadsheets.
#pragma once

#include <string>

#include "report/report.h"

namespace fxcut {

// A line for each value that crosses, in the report's order, under a line of the columns' names. Of the rows of kind
// "value" bytes add up to the report's saved_bytes, and kept_bytes to its saved_bytes_not_static. What is not known is
// left empty.
std::string report_csv(const Report& report);

}  // namespace fxcut
