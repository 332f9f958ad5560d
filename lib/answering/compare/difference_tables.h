// A difference as tables, for every form in which people see it.
#pragma once

#include <string_view>
#include <vector>

#include "compare/difference.h"
#include "text/table.h"

namespace fxcut {

// The figures; then settings, saved values, operators that are recomputed by kind, and nodes, each where there are any.
std::vector<Table> difference_tables(const Difference& difference);

// Values, under a title for what became of each.
Table changes_table(std::string_view title, const std::vector<ValueChange>& changes);

}  // namespace fxcut
