// A baseline: what a gate needs of the reports that it holds later ones against, and no more. Its file
// (schemas/baseline.schema.json) is small and goes by lines, so that it can lie in a repository:
//
//     totals      of each graph
//     values      saved, recomputed, and in use at the peak: a line each, with all that tells one from another and is
//                 said of it; alike layers are one (baseline/fold.h)
//
// Held against it, a report gets the same answers as against the reports themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/compared_report.h"
#include "json/document.h"

namespace fxcut {

inline constexpr std::string_view kBaselineFormat = "fxcut-baseline";
inline constexpr std::int64_t kBaselineVersion = 1;

struct BaselineGraph {
  std::string name;  // of the graph within its batch
  ComparedReport report;
};

// The text of a graph in the file, and the file of those texts: so not all reports have to be there at a time.
std::string baseline_graph(std::string_view name, const ComparedReport& report);
std::string baseline_file(const std::vector<std::string>& graphs);

// What the file holds. Throws Failure (BadInput) that lists the mistakes found, each with its place.
std::vector<BaselineGraph> read_baseline(const Document& document);

}  // namespace fxcut
