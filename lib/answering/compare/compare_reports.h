// The differences between two partitions, by their reports.
#pragma once

#include "compare/compared_report.h"
#include "compare/difference.h"

namespace fxcut {

// From `before` to `after`. Reports on the same graph (by its fingerprint) are compared by names; others by match_values().
// Settings that only limit a solver's search are compared as well.
Difference compare_reports(const ComparedReport& before, const ComparedReport& after);
Difference compare_reports(const Report& before, const Report& after);

// The report's saved values, recomputed ones and those in use at the peak, largest first, each as a change of kind Is.
std::vector<ValueChange> saved_in(const ComparedReport& report);
std::vector<ValueChange> recomputed_in(const ComparedReport& report);
std::vector<ValueChange> at_peak_in(const ComparedReport& report);

}  // namespace fxcut
