// The results of a check for people and for CI systems.
#pragma once

#include <string>
#include <vector>

#include "check/check_report.h"
#include "check/checked_batch.h"

namespace fxcut {

// What was checked, and against what.
struct CheckedFiles {
  std::string report;
  std::string baseline;  // empty where there is none
};

using CheckResults = std::vector<CheckResult>;

// Whether all hold.
bool all_hold(const CheckResults& results);

std::string results_text(const CheckResults& results, const CheckedFiles& files);

// schemas/check.schema.json
std::string results_json(const CheckResults& results, const CheckedFiles& files);

// A test suite as JUnit writes it, a test for each demand.
std::string results_junit(const CheckResults& results, const CheckedFiles& files);

// Workflow commands of GitHub Actions, which it shows as annotations: an error for each demand that is broken, at the
// source line that annotate() chose, or else a notice that all hold.
std::string results_github(const CheckResults& results, const CheckedFiles& files);

// A summary for a pull request.
std::string results_markdown(const CheckResults& results, const CheckedFiles& files);

// The same of several graphs. What breaks a demand is told graph by graph; of the others people see that they hold.
std::string batch_text(const CheckedBatch& batch);
std::string batch_json(const CheckedBatch& batch);
std::string batch_junit(const CheckedBatch& batch);
std::string batch_github(const CheckedBatch& batch);
std::string batch_markdown(const CheckedBatch& batch);
bool all_hold(const CheckedBatch& batch);

// "1 of 3 graphs breaks a demand", "the demands hold of all 3 graphs".
std::string verdict(const CheckedBatch& batch);

// The names of graphs that the baseline does not have; of many the first.
std::string names_of_new(const CheckedBatch& batch);

// "41.0 kB of activations held (8.2 kB before)".
std::string show_total(const BatchTotal& total);

// "2 of 3 demands are broken", "all 3 demands hold".
std::string verdict(const CheckResults& results);

// "came +1.2 GB mm_30 (aten.mm.default) in layers.5.mlp, was recomputed": one line of what breaks a demand.
std::string show_responsible(const ValueChange& change);

}  // namespace fxcut
