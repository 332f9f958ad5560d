// A baseline: the data of earlier reports that checks need, and no more. Its file (schemas/baseline.schema.json) is small and
// has lines, so that it can be kept in a repository:
//
//     totals      of each graph
//     values      saved, recomputed, and in use at the peak: a line for each, with everything that identifies it and is
//                 reported of it; alike layers are folded (check/fold_list.h)
//
// Checks against it have the same results as against the reports themselves.
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

// The text of a graph in the file, and the file of such texts; with these, not all reports are in memory at the same time.
std::string baseline_graph(std::string_view name, const ComparedReport& report);
std::string baseline_file(const std::vector<std::string>& graphs);

// The contents of the file. Throws Failure (BadInput) that lists the mistakes, each with its place.
std::vector<BaselineGraph> read_baseline(const Document& document);

}  // namespace fxcut
