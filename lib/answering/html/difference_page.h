// Two decisions side by side as a page: their totals, both memory curves in one chart, and what changed, folded.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/show_difference.h"
#include "graph/int128.h"

namespace fxcut {

// The memory in use at each step of a partition.
struct CurveOfSteps {
  std::vector<Int128> bytes;
  std::size_t forward_steps = 0;  // the first of them
};

// From memory_curve.csv (memory_curve_csv of report/describe_parts.h). Throws Failure (BadInput) naming `file` and the line that
// is not one of its rows.
CurveOfSteps read_memory_curve(std::string_view csv, const std::string& file);

// One per side; nullopt if the side has none.
using Curves = std::array<std::optional<CurveOfSteps>, 2>;

// The complete file, of assets/difference.html (html/template.h).
std::string difference_page(const Difference& difference, const Sides& sides, const Curves& curves);

}  // namespace fxcut
