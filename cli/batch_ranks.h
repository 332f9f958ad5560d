// fxcut batch --ranks: ranks of a job that run the same graph use the same decision.
#pragma once

#include <iosfwd>
#include <vector>

#include "batch/work_list.h"
#include "ranks/ranks_report.h"

namespace fxcut {

struct RankAgreement {
  std::vector<RankSetReport> sets;
  int stopped_by = 0;  // the signal that stopped it, or 0
};

// Decides on each item, `jobs` at a time, and sets another rank's decision where ranks differ. Throws Failure (Usage) if a name
// contains no rank, or the peak is limited.
RankAgreement agree_ranks(std::vector<WorkItem>& items, std::size_t jobs, std::ostream& err);

}  // namespace fxcut
