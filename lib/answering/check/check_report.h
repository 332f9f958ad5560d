// Checks a report against the limits and rules of a project: limits on its totals, which may depend on a baseline, and values
// that must or must not be saved.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/criteria.h"
#include "compare/compared_report.h"
#include "compare/difference.h"
#include "report/report.h"

namespace fxcut {

// A total that can be limited, by an option of the command.
struct MeasureRow {
  std::string_view option;   // "max-saved-bytes"
  std::string_view figure;   // of figures_of: "saved_bytes_not_static"
  std::string_view meaning;  // "of activations held"
  LimitUnit unit;
  bool adds_up;              // over several graphs; false: the highest counts
};

// All of them, in the order of the checks.
const std::vector<MeasureRow>& measures();

struct Checks {
  std::vector<std::pair<const MeasureRow*, Limit>> limits;
  std::vector<ValuePattern> forbid_save;       // no such value may be saved
  std::vector<ValuePattern> forbid_recompute;  // or recomputed
  std::vector<ValuePattern> require_save;      // such a value exists, and each of that name is saved or offloaded
  // Whether limits of growth pass if the report has no baseline.
  bool allow_new = false;

  bool empty() const;
};

// A line of a source file, with the value that is computed there.
struct CodeLocation {
  std::string file;
  std::int64_t line = 0;
  std::string value;
};

struct CheckResult {
  std::string check;   // "--max-saved-bytes 2%"
  bool passed = true;
  std::string text;    // "44.0 GB of activations held; the limit is 42.9 GB, 2% above 42.1 GB"
  // Only for a limit:
  std::string_view figure;
  std::string_view unit;
  std::optional<Int128> value, most, before;
  // The values responsible for a failure, largest first: those added or grown since the baseline, if any; otherwise all.
  std::vector<ValueChange> responsible;
  // The line to annotate for a failed check: annotate() sets one of these if any source is known.
  std::optional<CodeLocation> at = {};
  std::string elsewhere = {};  // "torch/nn/functional.py:2914": a line that must not be annotated
};

// The results of all checks, limits first. `baseline` is null if there is none for this report.
std::vector<CheckResult> check_report(const Report& report, const ComparedReport* baseline, const Checks& checks);

// The results for one of several graphs. A limit is for every graph, not for their sum, in which the growth of one could be
// hidden by another.
struct CheckedGraph {
  std::string name;     // its key in the baseline
  std::string file;     // of its report
  bool is_new = false;  // the baseline does not have it
  std::vector<CheckResult> results;
};

// A measure over all graphs: its sum, or, for the peak, the highest.
struct BatchTotal {
  const MeasureRow* measure = nullptr;
  std::optional<Int128> value;   // none if a report does not have it
  std::optional<Int128> before;  // over all graphs of the baseline
};

struct CheckedBatch {
  std::string reports;            // as given
  std::string baseline;           // as given; empty if there is none
  std::vector<CheckedGraph> graphs;
  std::vector<std::string> removed;  // only in the baseline
  std::vector<BatchTotal> totals;
};

// The total of each measure, without any graphs.
std::vector<BatchTotal> no_totals(bool has_baseline);

// Adds a graph of the batch, or of its baseline.
void add_graph(const ComparedReport& report, std::vector<BatchTotal>& totals);
void add_baseline(const ComparedReport& report, std::vector<BatchTotal>& totals);

}  // namespace fxcut
