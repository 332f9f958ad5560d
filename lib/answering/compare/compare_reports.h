// What differs between two partitions, by their reports.
#pragma once

#include "compare/compared_report.h"
#include "compare/difference.h"

namespace fxcut {

// From `before` to `after`. Reports on the same graph (by its fingerprint) are compared by names; those of others by
// what match_values knows of the values. Settings that only limit how long a solver searches are told as well.
Difference compare_reports(const ComparedReport& before, const ComparedReport& after);
Difference compare_reports(const Report& before, const Report& after);

// What the report saves, what it recomputes, and what it has in use at the peak, largest first, each as one that
// is there.
std::vector<ValueChange> saved_in(const ComparedReport& report);
std::vector<ValueChange> recomputed_in(const ComparedReport& report);
std::vector<ValueChange> at_peak_in(const ComparedReport& report);

}  // namespace fxcut
