// The report for people.
#pragma once

#include <string>

#include "report/report.h"

namespace fxcut {

// Totals, then the saved values, largest first. Plain text; lines end in newlines.
std::string report_table(const Report& report);

// "42.1 GB", "16 B": decimal units, as PyTorch's users count memory.
std::string show_bytes(std::int64_t bytes);

}  // namespace fxcut
