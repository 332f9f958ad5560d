// The parts of a report that are compared: its totals, and its saved values, recomputed values and those in use at the peak. A
// baseline file contains no more than this (check/baseline.h).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/compared_value.h"
#include "compare/difference.h"
#include "report/report.h"

namespace fxcut {

// The peak of operators, memory.peak_bytes; and in reports with the predicted memory of compiled code,
// memory.compiled.peak_bytes.
inline constexpr std::string_view kPeakOfOperators = "peak_bytes", kPeakOfCode = "compiled_peak_bytes";
inline constexpr std::string_view kTitleBesideCode = "peak, operator by operator";

struct ComparedReport {
  std::string graph;                            // its own name
  std::optional<GraphFingerprint> fingerprint;  // of the graph, if known
  std::vector<FigureChange> figures;            // `before` is 0
  // The settings of the decision, each with its value; empty for a baseline.
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<ComparedValue> saved;       // tensors, opaque values and symbolic numbers, as the forward returns them
  std::vector<ComparedValue> recomputed;  // in the report's order
  std::vector<ComparedValue> at_peak;     // by the nodes that made them, in the report's order; of the code, if it is predicted

  // Null if it has no such figure.
  const FigureChange* find_figure(std::string_view name) const;
};

ComparedReport compared(const Report& report);

// The totals of a report as figures with `before` 0; always the same, in the same order.
std::vector<FigureChange> figures_of(const Report& report);

}  // namespace fxcut
