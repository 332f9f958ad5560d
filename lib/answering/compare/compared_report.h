// A report as comparisons see it: its totals, and what it saves, recomputes and has in use at its peak. A baseline on
// disk holds no more than this (baseline/).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/compared_value.h"
#include "compare/difference.h"
#include "report/report.h"

namespace fxcut {

struct ComparedReport {
  std::string graph;                            // its own name
  std::optional<GraphFingerprint> fingerprint;  // of the graph, where it is known
  std::vector<FigureChange> figures;            // `before` is 0
  // By what was decided, each with its value; nothing of a baseline.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<ComparedValue> saved;       // tensors, opaque values and symbolic numbers, as the forward returns them
  std::vector<ComparedValue> recomputed;  // in the report's order
  std::vector<ComparedValue> at_peak;     // of each the node that made it; in the report's order
};

ComparedReport compared(const Report& report);

// The totals of a report, as figures whose `before` is 0; always the same, in the same order.
std::vector<FigureChange> figures_of(const Report& report);

}  // namespace fxcut
