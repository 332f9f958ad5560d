// The report for a pull request.
#pragma once

#include <string>

#include "report/report.h"

namespace fxcut {

// Totals and peak as a table, then the modules that keep most alive, layers that repeat folded, then the largest saved
// values: GitHub's Markdown. Where rows are left out, the last one says how many and how much they are, so that the
// bytes still add up.
std::string report_markdown(const Report& report);

}  // namespace fxcut
