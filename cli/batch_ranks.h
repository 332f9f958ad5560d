// fxcut batch --ranks: the graphs are those of all ranks of a job, and ranks that run the same graph decide alike.
#pragma once

#include <iosfwd>
#include <vector>

#include "batch/work_list.h"
#include "ranks/ranks_report.h"

namespace fxcut {

struct RankAgreement {
  std::vector<RankSetReport> sets;
  int stopped_by = 0;  // the signal that stopped the deciding, or 0
};

// Decides on each item, `jobs` at a time, and gives those the decision of another rank that have to take it. Throws
// Failure (Usage) where a name contains no rank, or the peak is limited.
RankAgreement agree_ranks(std::vector<WorkItem>& items, std::size_t jobs, std::ostream& err);

}  // namespace fxcut
