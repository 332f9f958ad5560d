// The results of checks, human-readable and for CI systems.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "check/check_report.h"

namespace fxcut {

struct CheckedFiles {
  std::string report;
  std::string baseline;  // empty if there is none
};

using CheckResults = std::vector<CheckResult>;

std::size_t num_failed(const CheckResults& results);

// Whether all checks passed.
bool all_passed(const CheckResults& results);

std::string results_text(const CheckResults& results, const CheckedFiles& files);

// schemas/check.schema.json
std::string results_json(const CheckResults& results, const CheckedFiles& files);

// A test suite in JUnit's format, with a test for each check.
std::string results_junit(const CheckResults& results, const CheckedFiles& files);

// Workflow commands of GitHub Actions, which shows them as annotations: an error for each failed check, at the source line
// that annotate() chose, or a notice that all passed.
std::string results_github(const CheckResults& results, const CheckedFiles& files);

// A summary for a pull request.
std::string results_markdown(const CheckResults& results, const CheckedFiles& files);

// The same for several graphs. Failures are listed graph by graph; of the other checks only the verdict is shown.
std::string batch_text(const CheckedBatch& batch);
std::string batch_json(const CheckedBatch& batch);
std::string batch_junit(const CheckedBatch& batch);
std::string batch_github(const CheckedBatch& batch);
std::string batch_markdown(const CheckedBatch& batch);
bool all_passed(const CheckedBatch& batch);

// "1 of 3 graphs failed a check", "all checks passed for 3 graphs".
std::string verdict(const CheckedBatch& batch);

// The names of graphs that the baseline does not have; only the first ones if there are many.
std::string names_of_new(const CheckedBatch& batch);

// "41.0 kB of activations held (8.2 kB before)".
std::string show_total(const BatchTotal& total);

// "2 of 3 checks failed", "all 3 checks passed".
std::string verdict(const CheckResults& results);

// As many responsible values are shown of a check, or rows of values that are alike.
inline constexpr std::size_t kMaxResponsible = 10;
std::span<const ValueChange> first_responsible(const CheckResult& result);

// "came +1.2 GB mm_30 (aten.mm.default) in layers.5.mlp, was recomputed": a line for a responsible value.
std::string show_responsible(const ValueChange& change);
// The same with another place.
std::string show_responsible(const ValueChange& change, const std::string& place);
// Those lines of the first responsible values; and a line for all others.
std::vector<std::string> responsible_lines(const CheckResult& result);

}  // namespace fxcut
