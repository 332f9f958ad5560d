// The saved values, folded, as the first screen of a report shows them.
//
// They are grouped by reason, the reason with the most bytes first. In a group, values of alike layers (report/layers.h)
// are one row, and so are values from one place that differ only in their names; the largest rows come first. Rows and
// groups that are left out are counted, so that the bytes still add up.
#pragma once

#include <string>

#include "report/report.h"

namespace fxcut {

// Ends in a newline. Names and places are cut so that a row fits in 100 columns; reasons and shapes are not cut. At most 50
// lines: 24 rows with a reason each, or six reasons with six rows each.
std::string show_saved_by_reason(const Report& report);

// The reason of one value, with whether it is always resident or offloaded, or in which form it is saved.
std::string show_why(const SavedValue& saved);

}  // namespace fxcut
