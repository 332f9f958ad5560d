// The results of a batch as a whole.
#pragma once

#include <array>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "batch/output_tree.h"
#include "batch/summary.h"
#include "cli/batch_graph.h"
#include "cli/command.h"

namespace fxcut {

// The number of graphs in each state.
class BatchCounts {
 public:
  void add(GraphOutcome::State state) { ++counts_[static_cast<std::size_t>(state)]; }
  std::size_t of(GraphOutcome::State state) const { return counts_[static_cast<std::size_t>(state)]; }
  std::size_t worked_on() const;
  std::size_t finished() const { return worked_on() - of(GraphOutcome::State::Failed); }

 private:
  std::array<std::size_t, 4> counts_{};
};

// "fxcut: [#####.....] 500 of 1000 graphs, 2 failed".
std::string progress_text(const BatchCounts& counts, std::size_t graphs);

// Puts results.jsonl and summary.json in place.
void put_results(const OutputTree& tree, const std::vector<std::string>& lines, const BatchSummary& summary);

// Prints the number of graphs that are done, and the names of those that failed; the exit status is No if there are any.
ExitStatus print_outcome(const BatchSummary& summary, const BatchCounts& counts, std::ostream& err);

}  // namespace fxcut
