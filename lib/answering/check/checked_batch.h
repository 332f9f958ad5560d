// Several graphs held against the same demands, each by itself: a limit holds of every one, not of their sum, in which
// one that grew would hide behind another that shrank.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check_report.h"

namespace fxcut {

// What became of the demands on one graph.
struct CheckedGraph {
  std::string name;     // by which it is found in the baseline
  std::string file;     // of its report
  bool is_new = false;  // there is a baseline, and it has no such graph
  std::vector<CheckResult> results;
};

// A measure over all graphs: its sum, or, of the peak, the highest.
struct BatchTotal {
  const MeasureRow* measure = nullptr;
  Wide value = 0;
  std::optional<Wide> before;  // over all graphs of the baseline
};

struct CheckedBatch {
  std::string reports;            // what was checked, as it was given
  std::string baseline;           // likewise; empty where there is none
  std::vector<CheckedGraph> graphs;
  std::vector<std::string> gone;  // in the baseline alone
  std::vector<BatchTotal> totals;
};

// The total of each measure, of no graph yet.
std::vector<BatchTotal> no_totals(bool has_baseline);

// Adds a graph of the batch, or of its baseline.
void add_graph(const ComparedReport& report, std::vector<BatchTotal>& totals);
void add_baseline(const ComparedReport& report, std::vector<BatchTotal>& totals);

}  // namespace fxcut
